import type { Embedder, EmbeddingPriority } from '../ports.js';

/** The vector of an intent, used for search and deletion alike. */
export function embedIntent(
  embedder: Pick<Embedder, 'embed'>,
  intent: string,
  priority: EmbeddingPriority,
): Promise<Float32Array> {
  return embedder.embed(generalisePaths(intent), priority);
}

/** Absolute or relative paths (`/var/log/app.log`, `~/notes`, `./run.sh`), or several levels (`src/main/app.ts`). */
const rooted = String.raw`(?:~|\.{1,2})?\/[\w.@*+-]{1,100}(?:\/[\w.@*+-]{0,100}){0,40}`;
const deep = String.raw`[A-Za-z_.][\w.@*+-]{1,100}(?:\/[\w.@*+-]{1,100}){2,40}\/?`;
const file = String.raw`[A-Za-z_.][\w.@*+-]{1,100}\/[\w@*+-]{1,100}\.[a-z]\w{0,4}`;
const path = new RegExp(String.raw`(?<=^|[\s"'${'`'}(=,])(?:${rooted}|${deep}|${file})(?=$|[\s"'${'`'}),;:?!])`, 'g');
const extension = /\.([a-z]\w{0,4})$/i;
const quotedKind = /(["'`])((?:\w{1,5} file|directory))\1/g;

/**
 * Replaces paths by the kind of thing they point at. Otherwise two tasks on one file would be more similar than the
 * same task on two files.
 */
export function generalisePaths(task: string): string {
  return task.replace(path, kindOf).replace(quotedKind, '$2');
}

function kindOf(found: string): string {
  const [, type] = extension.exec(found) ?? [];
  return type === undefined ? 'directory' : `${type} file`;
}

/** Cosine similarity in double precision; 0 if a vector is zero. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] as number;
    const y = b[i] as number;
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  const scale = Math.sqrt(lengthA * lengthB);
  return scale > 0 ? Math.max(-1, Math.min(1, dot / scale)) : 0;
}

/** Vectors are single precision: a similarity this close below the threshold counts as reaching it. */
const similarityTolerance = 1e-6;

export function reaches(similarity: number, threshold: number): boolean {
  return similarity >= threshold - similarityTolerance;
}
