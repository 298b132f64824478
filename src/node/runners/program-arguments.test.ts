import { describe, expect, it } from 'vitest';
import { anId, NOON } from '../../../test/support/builders.ts';
import type { Claim, Json, Queue } from '../../core/index.ts';
import { HeldTask } from '../held-task.ts';
import { fillArguments } from './program-arguments.ts';

function held(params: Json, claim: Partial<Claim> = {}): HeldTask {
  const own = {
    taskId: anId(),
    queueId: anId(),
    queue: 'work',
    key: null,
    params,
    priority: 0,
    labels: {},
    fence: 7,
    claimCount: 7,
    tryCount: 2,
    roundCount: 0,
    claimedAt: NOON,
    expiresAt: NOON,
    ...claim,
  };
  const queue = { name: 'work', namespace: 'space' } as Queue;
  return new HeldTask(own, queue, 0, { lengthMs: 0, endMs: 0, renewAtMs: 0 });
}

function fill(argv: readonly string[], params: Json = {}, claim: Partial<Claim> = {}): string[] {
  return fillArguments(['program', ...argv], held(params, claim)).slice(1);
}

describe('placeholders', () => {
  it('are filled with what the task holds', () => {
    const claim = { taskId: '6'.repeat(24), key: 'k 1' };
    expect(
      fill(['{id}', '{key}', '{queue}', '{namespace}', '{fence}', '{attempt}'], {}, claim),
    ).toEqual(['6'.repeat(24), 'k 1', 'work', 'space', '7', '3']);
  });

  it('reach into params by path, lists included', () => {
    const params = { a: { 'b-c': [10, { d: true }] } };
    expect(fill(['{params.a.b-c.0}', '{params.a.b-c.1.d}', 'x{params.a.b-c.0}y'], params)).toEqual([
      '10',
      'true',
      'x10y',
    ]);
  });

  it('{item} is the params themselves, or what they call item', () => {
    expect(fill(['{item}'], 'file.txt')).toEqual(['file.txt']);
    expect(fill(['{item}'], 42)).toEqual(['42']);
    expect(fill(['{item}'], { item: 'file.txt' })).toEqual(['file.txt']);
  });

  it('write objects and lists as JSON', () => {
    expect(fill(['{params}', 'v={params.v}'], { v: [1, 'a'] })).toEqual([
      '{"v":[1,"a"]}',
      'v=[1,"a"]',
    ]);
  });

  it('are only the known ones; other braces stay', () => {
    const argv = ['{print $1}', '{"a":1}', '{}', '{unknown}', '${item', '{paramsx}'];
    expect(fill(argv, { item: 'x' })).toEqual(argv);
  });

  it('are not filled again in what filled them', () => {
    expect(fill(['{item}'], '{id}{params}')).toEqual(['{id}{params}']);
  });

  it.each([
    ['{params.a.b}', { a: {} }],
    ['{params.toString}', {}],
    ['{params.__proto__}', {}],
    ['{params.a.length}', { a: 'text' }],
    ['{item}', {}],
    ['{item}', null],
    ['{key}', {}],
  ])('%s that the task has no value for are refused', (template, params) => {
    expect(() => fill(['x', template], params)).toThrow(
      `program.argv[2]: the task has nothing for ${template}.`,
    );
  });
});

describe('a filled argument that begins with -', () => {
  it('is refused where the program would take it for an option', () => {
    expect(() => fill(['{item}'], '-rf')).toThrow('would take it for an option');
    expect(() => fill(['{item}.txt'], '-rf')).toThrow('would take it for an option');
    expect(() => fill(['{item}', '--'], '-rf')).toThrow('would take it for an option');
    expect(() => fill(['{params.a}{params.b}'], { a: '', b: '-x' })).toThrow('option');
  });

  it('is taken after --, and behind text of the template', () => {
    expect(fill(['--', '{item}'], '-rf')).toEqual(['--', '-rf']);
    expect(fill(['--file={item}', '-{item}', './{item}'], '-rf')).toEqual([
      '--file=-rf',
      '--rf',
      './-rf',
    ]);
  });

  it('may be the template’s own', () => {
    expect(fill(['-v', '--', '--all'])).toEqual(['-v', '--', '--all']);
  });
});
