import type { Surroundings } from './command.ts';

/** Asks a person on the terminal; anything but yes is no. Without a terminal nobody is asked: no. */
export async function askPerson(
  question: string,
  { stdin, stderr, stop }: Pick<Surroundings, 'stdin' | 'stderr' | 'stop'>,
): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) return false;
  stderr.write(`${question} [y/N] `);
  for await (const chunk of stdin) {
    if (stop.aborted) return false;
    return /^y(es)?$/i.test(Buffer.from(chunk).toString().trim());
  }
  return false;
}
