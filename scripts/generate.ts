/**
 * `npm run generate` writes the files that are made from code; `npm run generated` (part of the
 * gate) fails when one of them is not what the code would make now.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHttpApiDocument } from './http-api-document.ts';
import { makeSqliteSchema } from './sqlite-schema.ts';

interface GeneratedFile {
  /** From the repository's root. */
  readonly path: string;
  make(): Promise<string>;
}

/** Every committed file that is made from code. */
const GENERATED: readonly GeneratedFile[] = [
  { path: 'docs/http-api.md', make: makeHttpApiDocument },
  { path: 'src/stores/sqlite/schema.sql', make: makeSqliteSchema },
];

const root = join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

for (const { path, make } of GENERATED) {
  const file = join(root, path);
  const text = await make();
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;

  if (isCheck) {
    console.error(`${path} is not what the code makes: run \`npm run generate\` and commit it.`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
if (isCheck && !process.exitCode) console.log(`generated files: ${GENERATED.length} unchanged`);
