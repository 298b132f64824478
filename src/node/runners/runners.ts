import type { Queue } from '../../core/index.ts';
import { handlerName } from '../handler.ts';
import type { NodeSettings } from '../node-options.ts';
import { createInProcessRunner } from './in-process-runner.ts';
import { createProcessRunner } from './process-runner.ts';
import type { Runner } from './runner.ts';
import type { TaskServices } from './task-context.ts';

/** Which runner runs a queue's tasks on this node. */
export interface Runners {
  /** null: none of this node's can. */
  find(queue: Queue): Runner | null;
}

type RunnerSettings = Pick<
  NodeSettings,
  'name' | 'handlers' | 'programs' | 'environment' | 'killGraceMs'
>;

export function createRunners(settings: RunnerSettings, services: TaskServices): Runners {
  const { name: node, environment, killGraceMs } = settings;
  const { clock, outputOf } = services;
  const program = settings.programs
    ? createProcessRunner({ node, clock, environment, killGraceMs, outputOf })
    : null;
  const inProcess = new Map<string, Runner>();
  for (const [name, handler] of Object.entries(settings.handlers)) {
    inProcess.set(name, createInProcessRunner(handler, services));
  }
  return {
    find(queue) {
      const handler = handlerName(queue);
      return handler === null ? program : (inProcess.get(handler) ?? null);
    },
  };
}
