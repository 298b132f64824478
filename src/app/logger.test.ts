import { describe, expect, it } from 'vitest';
import { systemClock } from '../core/index.ts';
import { createLogger, type LoggerOptions } from './logger.ts';

const NINE = new Date(2026, 2, 1, 9, 30, 5);

function written(format: LoggerOptions['format'], hasColours = false) {
  const lines: string[] = [];
  const logger = createLogger({
    format,
    hasColours,
    stream: { write: (line) => lines.push(line) },
    clock: { ...systemClock, now: () => NINE },
  });
  return { logger, lines };
}

describe('the log', () => {
  it('is one JSON object per line for machines', () => {
    const { logger, lines } = written('json');

    logger.warn('node.lost', { node: 'a', error: new Error('no route') });

    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      event: 'node.lost',
      node: 'a',
      error: 'no route',
    });
  });

  it('is a short line for people', () => {
    const { logger, lines } = written('text');

    logger.info('node.started', { node: 'a', slots: 4, gone: undefined });
    logger.error('store.failed', { problem: 'disk full' });

    expect(lines).toEqual([
      '09:30:05 node.started node=a slots=4\n',
      '09:30:05 error store.failed problem="disk full"\n',
    ]);
  });

  it('is coloured where that is wanted, and only around words', () => {
    const { logger, lines } = written('text', true);

    logger.warn('server.stopped');

    expect(lines).toEqual([
      '\u001b[2m09:30:05\u001b[22m \u001b[33mwarning \u001b[39mserver.stopped\n',
    ]);
  });

  it('lets no data steer the terminal', () => {
    const { logger, lines } = written('text');

    logger.info('x', { name: '\u001b[2J\u009b' });

    expect(lines[0]).not.toContain('\u001b');
  });
});
