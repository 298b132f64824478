import { invalid } from '../errors.ts';
import {
  checkFlag,
  checkJson,
  checkLimit,
  checkNumber,
  checkOneOf,
  checkText,
  checkTexts,
  checkWhole,
  show,
} from './check.ts';
import {
  ADMISSIONS,
  type KeyedLimit,
  ON_LOST,
  type Program,
  QUEUE_DEFAULTS,
  QUEUE_ORDERS,
  type QueueSettings,
} from './queue.ts';

const LONGEST_MS = 10 * 365 * 86_400_000;
const DATA_BOUNDS = { maxBytes: 256 * 1024, maxDepth: 100 };

type Check<Value> = (field: string, value: Value) => void;
const duration: Check<unknown> = (field, value) => checkWhole(field, value, { max: LONGEST_MS });
const limit: Check<unknown> = (field, value) => checkLimit(field, value);
const atLeastOne: Check<unknown> = (field, value) => checkLimit(field, value, { min: 1 });
const nameOrNull: Check<string | null> = (field, value) => {
  if (value !== null) checkText(field, value, 255);
};

const CHECKS: { [Name in keyof QueueSettings]: Check<QueueSettings[Name]> } = {
  handler: nameOrNull,
  program: (field, program) => {
    if (program !== null) checkProgram(field, program);
  },
  runtime: (field, value) => checkText(field, value, 255),
  priority: checkNumber,
  weight: (field, value) => checkWhole(field, value, { max: 1_000_000 }),
  paused: checkFlag,
  order: (field, value) => checkOneOf(field, value, QUEUE_ORDERS),
  maxRunning: limit,
  maxRunningPerNode: limit,
  limits: checkKeyedLimits,
  maxPerClaim: limit,
  nodesOnly: (field, value) => {
    if (value !== null) checkTexts(field, value, 255);
  },
  nodesNot: (field, value) => checkTexts(field, value, 255),
  maxAttempts: atLeastOne,
  retry: (field, retry) => {
    checkWhole(`${field}.baseMs`, retry?.baseMs, { max: LONGEST_MS });
    checkWhole(`${field}.maxMs`, retry.maxMs, { max: LONGEST_MS });
    checkNumber(`${field}.factor`, retry.factor);
    if (retry.factor < 1 || retry.factor > 100) {
      throw invalid(`${field}.factor`, `${retry.factor} is out of range`, 'Use 1 to 100');
    }
  },
  maxClaims: atLeastOne,
  maxRunMs: (field, value) => checkLimit(field, value, { min: 1, max: LONGEST_MS }),
  leaseMs: (field, value) => checkWhole(field, value, { min: 100, max: 86_400_000 }),
  onLost: (field, value) => checkOneOf(field, value, ON_LOST),
  maxLosses: atLeastOne,
  admission: (field, value) => checkOneOf(field, value, ADMISSIONS),
  continuous: checkFlag,
  canBeContinuous: checkFlag,
  intervalMs: duration,
  nextQueue: nameOrNull,
  retention: (field, retention) => {
    checkLimit(`${field}.succeededMs`, retention?.succeededMs, { max: LONGEST_MS });
    checkLimit(`${field}.failedMs`, retention.failedMs, { max: LONGEST_MS });
  },
  maxOutputBytes: (field, value) => checkWhole(field, value, { max: 2 ** 40 }),
  data: (field, value) => checkJson(field, value, DATA_BOUNDS),
};

/** Throws for the first setting that is unknown or out of its range. */
export function checkQueueSettings(settings: Partial<QueueSettings>): void {
  for (const [name, value] of Object.entries(settings)) {
    const check = CHECKS[name as keyof QueueSettings] as Check<unknown> | undefined;
    if (!Object.hasOwn(CHECKS, name) || !check) {
      throw invalid(
        name,
        'a queue has no such setting',
        `Known are: ${Object.keys(QUEUE_DEFAULTS).join(', ')}`,
      );
    }
    check(name, value);
  }
  if (settings.program && settings.handler) {
    throw invalid('program', 'the queue has a handler too', 'Say one of the two');
  }
}

function checkKeyedLimits(field: string, limits: readonly KeyedLimit[]): void {
  if (!Array.isArray(limits))
    throw invalid(field, `${show(limits)} is not a list`, 'Use a list of limits');
  if (limits.length > 8) throw invalid(field, `${limits.length} limits`, 'Use at most 8');
  const names = new Set<string>();
  for (const [index, { name, by, max, perMs }] of limits.entries()) {
    const at = `${field}[${index}]`;
    checkText(`${at}.name`, name, 64);
    checkText(`${at}.by`, by, 255);
    checkWhole(`${at}.max`, max);
    checkLimit(`${at}.perMs`, perMs, { min: 1, max: LONGEST_MS });
    if (names.has(name))
      throw invalid(`${at}.name`, `"${name}" is there twice`, 'Give each limit its own name');
    names.add(name);
  }
}

function checkProgram(field: string, program: Program): void {
  checkTexts(`${field}.argv`, program.argv, 32_768);
  const [command] = program.argv;
  if (!command) throw invalid(`${field}.argv`, 'no program is named', 'Put its path first');
  for (const [index, item] of program.argv.entries()) {
    if (item.includes('\0'))
      throw invalid(`${field}.argv[${index}]`, 'it holds a NUL', 'Leave it out');
  }
  if (/\{[^{}]*\}/.test(command)) {
    throw invalid(
      `${field}.argv[0]`,
      'the program itself cannot be filled from params',
      'Name a fixed path',
    );
  }
  if (program.cwd !== null) checkText(`${field}.cwd`, program.cwd, 4096);
  for (const [name, value] of Object.entries(program.env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw invalid(
        `${field}.env`,
        `"${name}" is no name for a variable`,
        'Use letters, digits and _',
      );
    }
    checkText(`${field}.env.${name}`, value, 32_768);
  }
}
