import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveProgram } from '../../src/node/resolve-program.ts';
import { openScriptFolder } from './script-folder.ts';

const PATH = process.env.PATH ?? '/usr/bin:/bin';

describe('the program of a queue', () => {
  it('is found in PATH by its name', async () => {
    using folder = openScriptFolder();
    folder.script('tool', '');

    expect(await resolveProgram(['tool'], null, `/nowhere:${folder.path}`)).toBe(
      join(folder.path, 'tool'),
    );
  });

  it('is found by its path, from the queue’s folder', async () => {
    using folder = openScriptFolder();
    folder.script('tool', '');

    expect(await resolveProgram(['./tool'], folder.path, PATH)).toBe(join(folder.path, 'tool'));
    expect(await resolveProgram([join(folder.path, 'tool')], null, PATH)).toBe(
      join(folder.path, 'tool'),
    );
  });

  it('is found through a link, and past a file that may not be executed', async () => {
    using first = openScriptFolder();
    using second = openScriptFolder();
    first.write('tool', 'text');
    second.script('real', '');
    symlinkSync(join(second.path, 'real'), join(second.path, 'tool'));

    expect(await resolveProgram(['tool'], null, `${first.path}:${second.path}`)).toBe(
      join(second.path, 'tool'),
    );
  });

  it.each([
    ['nothing', [], null, 'no program is named'],
    ['a name that is not in PATH', ['no-such-tool'], null, '"no-such-tool" is not in PATH'],
    ['a path that is not there', ['/no/such/tool'], null, 'there is no file "/no/such/tool"'],
    ['a folder', ['/tmp'], null, 'there is no file "/tmp"'],
    ['a working folder that is not there', ['sh'], '/no/such', 'there is no folder "/no/such"'],
  ])('is refused: %s', async (_, argv, cwd, problem) => {
    await expect(resolveProgram(argv, cwd, PATH)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { problem: expect.stringContaining(problem) },
    });
  });

  it('is refused with the remedy when it may not be executed', async () => {
    using folder = openScriptFolder();
    const file = folder.write('tool', 'text');

    await expect(resolveProgram([file], null, PATH)).rejects.toThrow(`chmod +x "${file}"`);
  });

  it.each([
    [['sh', '-c', 'echo {item}']],
    [['/bin/bash', '-ec', 'process {params.file} now']],
    [['bash', '--norc', '-c', '{params}']],
  ])('is refused when a shell would run what params hold: %j', async (argv) => {
    await expect(resolveProgram(argv, null, PATH)).rejects.toThrow('run what params hold');
  });

  it('may be a shell that gets params as arguments', async () => {
    const argv = ['sh', '-c', 'echo "$1"', '--', '{item}'];

    expect(await resolveProgram(argv, null, PATH)).toMatch(/\/sh$/);
  });
});
