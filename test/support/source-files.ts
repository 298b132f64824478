import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The repository's root. */
export const ROOT = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every .ts and .tsx file below a folder of the repository; none when there is no such folder. */
export function sourceFiles(folder: string): SourceFile[] {
  const top = join(ROOT, folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(ROOT, file).replaceAll(sep, '/'),
      text: readFileSync(file, 'utf8'),
    }));
}

const STRING_OR_COMMENT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The text with comments and quoted strings emptied, line by line where it was. Templates stay. */
export function codeOnly(text: string): string {
  return text.replace(STRING_OR_COMMENT, (match) => match.replace(/[^\n]/g, ' '));
}

/** `path:line: text` for every line of code that matches, in the files given. */
export function findInCode(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    codeOnly(text)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}
