import { BatchError } from '../core/index.ts';

/** Loads a store whose driver is a package of its own. STORE_UNAVAILABLE when that is not installed. */
export async function withDriver<Module>(
  driver: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, driver)) throw error;
    const problem = `it needs the package ${driver}, which is not installed`;
    const remedy = `Install it: npm install ${driver}`;
    throw new BatchError('STORE_UNAVAILABLE', { problem, remedy }, { cause: error });
  }
}

function isMissing(error: unknown, driver: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${driver}'`);
}
