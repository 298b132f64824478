import { BatchError, type Engine } from '../../src/core/index.ts';

/**
 * The line between a node and its engine, in the hands of a test: it can be cut before
 * or after the engine has acted, and calls can be kept waiting.
 */
export interface EngineLine {
  /** The engine as the node sees it. */
  readonly engine: Engine;
  /** Every call so far, in order: `attempts.claim`, … */
  readonly calls: LineCall[];
  callsOf(method: string): LineCall[];
  /** `before`: new calls do not arrive. `after`: calls arrive, and their answers are lost. */
  cut(where: 'before' | 'after' | 'both', methods?: readonly string[]): void;
  mend(): void;
  /** The next answer to this method is lost. */
  loseNextAnswer(method: string): void;
  /** Calls of this method wait, before they arrive or before they are answered, until the line is let go. */
  hold(method: string, where?: 'before' | 'after'): { letGo(): void };
}

export interface LineCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

const GROUPS = ['queues', 'tasks', 'attempts', 'outputs', 'nodes'] as const;

export function createEngineLine(engine: Engine): EngineLine {
  const calls: LineCall[] = [];
  const holds = new Map<string, Promise<void>>();
  const losing = new Set<string>();
  let broken: { where: string; methods: readonly string[] | undefined } | null = null;

  const fail = (method: string, where: 'before' | 'after'): void => {
    if (broken === null || (broken.where !== where && broken.where !== 'both')) return;
    if (broken.methods && !broken.methods.includes(method)) return;
    throw unreachable();
  };
  const lead = (group: (typeof GROUPS)[number]): object =>
    new Proxy(engine[group], {
      get(target, name: string) {
        const original = target[name as keyof typeof target] as (...args: unknown[]) => unknown;
        return async (...args: unknown[]) => {
          const method = `${group}.${name}`;
          calls.push({ method, args });
          await holds.get(`before ${method}`);
          fail(method, 'before');
          const answer = await original.apply(target, args);
          await holds.get(`after ${method}`);
          fail(method, 'after');
          if (losing.delete(method)) throw unreachable();
          return answer;
        };
      },
    });

  return {
    engine: { ...engine, ...Object.fromEntries(GROUPS.map((group) => [group, lead(group)])) },
    calls,
    callsOf: (name) => calls.filter(({ method }) => method === name),
    cut: (where, methods) => {
      broken = { where, methods };
    },
    mend: () => {
      broken = null;
    },
    loseNextAnswer: (method) => void losing.add(method),
    hold(method, where = 'after') {
      const held = `${where} ${method}`;
      let letGo = (): void => {};
      holds.set(held, new Promise((resolve) => (letGo = resolve)));
      return {
        letGo() {
          holds.delete(held);
          letGo();
        },
      };
    },
  };
}

function unreachable(): BatchError {
  return new BatchError('SERVER_UNREACHABLE', { url: 'test:', remedy: 'Mend the line.' });
}
