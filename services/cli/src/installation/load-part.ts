import { AppError } from '@whetstone/platform';

/**
 * Loads what only some commands need, such as the client of an engine. An image holds only the parts of its service: for a
 * missing one this rejects with AppError `invalid_argument` that says where to find it.
 */
export async function loadPart<Module>(load: () => Promise<Module>, whereElse: string): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new AppError('invalid_argument', whereElse, { cause });
  }
}
