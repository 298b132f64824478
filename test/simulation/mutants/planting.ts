import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** How often the text that a mutant changes stands in its file; anything but once is of no use. */
export function countText(root: string, { file, find }: Mutant): number {
  return readFileSync(join(root, file), 'utf8').split(find).length - 1;
}

export function plant(root: string, mutant: Mutant): void {
  const count = countText(root, mutant);
  if (count !== 1) {
    throw new Error(`"${mutant.name}": its text stands ${count} times in ${mutant.file}, not once`);
  }
  const path = join(root, mutant.file);
  writeFileSync(path, readFileSync(path, 'utf8').split(mutant.find).join(mutant.replace));
}
