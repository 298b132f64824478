import type { Command } from './command.ts';
import { attemptList } from './commands/attempt-list.ts';
import { backup } from './commands/backup.ts';
import { complete } from './commands/complete.ts';
import { completion } from './commands/completion.ts';
import { configCheck } from './commands/config-check.ts';
import { copy } from './commands/copy.ts';
import { counts } from './commands/counts.ts';
import { doctor } from './commands/doctor.ts';
import { migrate } from './commands/migrate.ts';
import { namespaceDelete } from './commands/namespace-delete.ts';
import { namespaceList } from './commands/namespace-list.ts';
import { node } from './commands/node.ts';
import { nodeCordon } from './commands/node-cordon.ts';
import { nodeDelete } from './commands/node-delete.ts';
import { nodeDrain } from './commands/node-drain.ts';
import { nodeLimit } from './commands/node-limit.ts';
import { nodeList } from './commands/node-list.ts';
import { nodeResume } from './commands/node-resume.ts';
import { nodeShow } from './commands/node-show.ts';
import { queueCreate } from './commands/queue-create.ts';
import { queueDelete } from './commands/queue-delete.ts';
import { queueList } from './commands/queue-list.ts';
import { queuePause } from './commands/queue-pause.ts';
import { queueResume } from './commands/queue-resume.ts';
import { queueSet } from './commands/queue-set.ts';
import { queueShow } from './commands/queue-show.ts';
import { restore } from './commands/restore.ts';
import { serve } from './commands/serve.ts';
import { submit } from './commands/submit.ts';
import { taskCancel } from './commands/task-cancel.ts';
import { taskDelete } from './commands/task-delete.ts';
import { taskEdit } from './commands/task-edit.ts';
import { taskHold } from './commands/task-hold.ts';
import { taskList } from './commands/task-list.ts';
import { taskOutput } from './commands/task-output.ts';
import { taskRelease } from './commands/task-release.ts';
import { taskRetry } from './commands/task-retry.ts';
import { taskShow } from './commands/task-show.ts';
import { taskWhy } from './commands/task-why.ts';
import { tokenCreate } from './commands/token-create.ts';
import { tokenList } from './commands/token-list.ts';
import { tokenRevoke } from './commands/token-revoke.ts';
import { top } from './commands/top.ts';
import { up } from './commands/up.ts';
import { version } from './commands/version.ts';
import { wait } from './commands/wait.ts';

const SHOWN: readonly Command[] = [
  up,
  serve,
  node,
  submit,
  wait,
  top,
  counts,
  queueCreate,
  queueList,
  queueShow,
  queueSet,
  queuePause,
  queueResume,
  queueDelete,
  taskList,
  taskShow,
  taskOutput,
  taskWhy,
  taskCancel,
  taskRetry,
  taskHold,
  taskRelease,
  taskEdit,
  taskDelete,
  attemptList,
  nodeList,
  nodeShow,
  nodeDrain,
  nodeCordon,
  nodeResume,
  nodeLimit,
  nodeDelete,
  namespaceList,
  namespaceDelete,
  tokenCreate,
  tokenList,
  tokenRevoke,
  backup,
  restore,
  copy,
  doctor,
  migrate,
  configCheck,
  completion,
  version,
];

/** Every command, in the order of help. */
export const COMMANDS: readonly Command[] = [...SHOWN, complete(SHOWN)];
