import { BatchError, type Engine, suggest } from '../core/index.ts';

/** For a name that nothing has: the one most likely meant, as a sentence with a space before it, or ''. */
async function suggestName(engine: Engine, error: BatchError): Promise<string> {
  const { queue, node } = error.details;
  const page = { limit: 1000 };
  try {
    if (error.code === 'QUEUE_NOT_FOUND' && queue !== undefined) {
      return suggest(queue, namesOf(await engine.queues.list(page)));
    }
    if (error.code === 'NODE_NOT_FOUND' && node !== undefined) {
      return suggest(node, namesOf(await engine.nodes.list(page)));
    }
    return '';
  } catch {
    return '';
  }
}

function namesOf({ items }: { readonly items: readonly { readonly name: string }[] }): string[] {
  return items.map(({ name }) => name);
}

/** The same error with that sentence, where there is one. */
export async function withSuggestion(engine: Engine, error: unknown): Promise<unknown> {
  if (!(error instanceof BatchError)) return error;
  const suggestion = await suggestName(engine, error);
  if (suggestion === '') return error;
  const better = new BatchError(error.code, error.details, { cause: error });
  better.message += suggestion;
  return better;
}
