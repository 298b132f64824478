/** From bad to good. */
export const FINDING_LEVELS = ['problem', 'warning', 'fine'] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** Something that an operator should know of, or may rest assured of. */
export interface Finding {
  readonly level: FindingLevel;
  /** What it is about, in a word or two: `indexes`, `clock`, `queue mail`. */
  readonly topic: string;
  /** One sentence. */
  readonly text: string;
  /** What to do; null where nothing is. */
  readonly remedy: string | null;
}

export const fine = (topic: string, text: string): Finding => ({
  level: 'fine',
  topic,
  text,
  remedy: null,
});

export const warning = (topic: string, text: string, remedy: string): Finding => ({
  level: 'warning',
  topic,
  text,
  remedy,
});

export const problem = (topic: string, text: string, remedy: string): Finding => ({
  level: 'problem',
  topic,
  text,
  remedy,
});
