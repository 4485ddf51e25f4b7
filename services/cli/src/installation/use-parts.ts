import type { PartName, Parts } from './installation.js';

export interface OpenPart<Part> {
  part: Part;
  close(): Promise<void>;
}

/** How an installation opens each of its parts. */
export type PartOpeners = { readonly [Name in PartName]: () => Promise<OpenPart<Parts[Name]>> };

/** Opens the parts one after another, and closes in reverse whatever was opened. */
export async function useParts<Name extends PartName, Result>(
  openers: PartOpeners,
  [name, ...others]: readonly Name[],
  work: (parts: Pick<Parts, Name>) => Promise<Result>,
): Promise<Result> {
  if (name === undefined) return work({} as Pick<Parts, Name>);
  const { part, close } = await openers[name]();
  try {
    return await useParts(openers, others, (parts) => work({ ...parts, [name]: part }));
  } finally {
    await close();
  }
}
