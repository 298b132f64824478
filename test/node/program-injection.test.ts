import { describe, expect, it } from 'vitest';
import { ended, openProgramYard } from './program-yard.ts';
import { openScriptFolder } from './script-folder.ts';

const HOSTILE = [
  '; touch pwned',
  '&& touch pwned',
  '| touch pwned',
  '$(touch pwned)',
  '`touch pwned`',
  '\n touch pwned \n',
  '\r\ntouch pwned',
  '> pwned',
  '"; touch pwned; "',
  "'; touch pwned; '",
  '$' + '{IFS}touch$' + '{IFS}pwned',
  '$HOME',
  '~',
  '*',
  '{a,b}',
  '{item}',
  '{params.x}',
  '%s%n',
  '\\',
  '\u001b[31m',
  '../../etc/passwd',
  'é 漢字 🙂',
  ' leading and trailing ',
  '',
];

/** Prints each argument between marks, so that none can hide. */
const SHOW = 'printf "%s" "$#"; for a in "$@"; do printf "<%s>" "$a"; done';

describe('an argument filled from params', () => {
  it('arrives as one item, as it is, and nothing of it is run', async () => {
    using folder = openScriptFolder();
    const program = folder.script('show', SHOW, ['{item}', 'x={params.x}']);
    await using yard = await openProgramYard(program, {}, { slots: 8 });
    const ids: string[] = [];
    for (const text of HOSTILE)
      ids.push(await yard.submit('work', { params: { item: text, x: text } }));

    for (const [index, id] of ids.entries()) {
      const text = HOSTILE[index];
      expect((await ended(yard, id)).state).toBe('succeeded');
      expect((await yard.outputOf(id, 'stdout')).toString()).toBe(`2<${text}><x=${text}>`);
    }

    expect(folder.read('pwned')).toBeNull();
  });

  it.each(['a\0b', '\0', 'end\0'])('that holds a NUL is refused: %j', async (item) => {
    using folder = openScriptFolder();
    await using yard = await openProgramYard(folder.script('show', ': > ran', ['{item}']));

    const task = await ended(yard, await yard.submit('work', { params: { item } }));

    expect(task).toMatchObject({ state: 'failed', tryCount: 1 });
    expect(task.error).toContain('program.argv[1]: what fills it holds a NUL');
    expect(folder.read('ran')).toBeNull();
  });

  it.each(['-rf', '--output=/etc/passwd', '-', '--'])(
    'that the program would take for an option is refused: %s',
    async (item) => {
      using folder = openScriptFolder();
      await using yard = await openProgramYard(folder.script('show', ': > ran', ['{item}']));

      const task = await ended(yard, await yard.submit('work', { params: { item } }));

      expect(task.state).toBe('failed');
      expect(task.error).toContain('would take it for an option');
      expect(folder.read('ran')).toBeNull();
    },
  );

  it('may begin with - where the program cannot take it for an option', async () => {
    using folder = openScriptFolder();
    const program = folder.script('show', SHOW, ['--name={item}', '--', '{item}']);
    await using yard = await openProgramYard(program);

    const id = await yard.submit('work', { params: { item: '-rf' } });
    await ended(yard, id);

    expect((await yard.outputOf(id, 'stdout')).toString()).toBe('3<--name=-rf><--><-rf>');
  });
});
