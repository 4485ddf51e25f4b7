import { AppError } from '@whetstone/platform';

/**
 * Loads what only some commands need, such as the client of an engine. The image of a service carries the parts of that
 * service alone: for one that it lacks, this rejects with AppError `invalid_argument` that says where it is.
 */
export async function loadPart<Module>(load: () => Promise<Module>, whereElse: string): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new AppError('invalid_argument', whereElse, { cause });
  }
}
