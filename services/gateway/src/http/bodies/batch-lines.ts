import { type Problem, problem } from '@whetstone/contracts';
import { packInteraction } from '@whetstone/event-log/codec';
import { invalid, Refusal, tooManyLines } from '../refusals.js';
import type { BodyPreparation, PreparedUpload } from './prepare-body.js';

/** More would make an answer of many megabytes. */
export const maxBatchLines = 20_000;
/** What a thread reads at once, and the event loop then queues at once, which takes a few milliseconds. */
const linesPerPiece = 64;
const pieceBytes = 256 * 1024;

/** Neighbouring lines of a batch. */
export interface BatchPiece {
  start: number;
  end: number;
  /** Numbers of the lines that are not blank, from 1. */
  lines: number[];
}

/** An upload, with the length of its packed interaction, or what is wrong with the line. */
export type BatchLine =
  | (Omit<PreparedUpload, 'interaction'> & { bytes: number; problems?: never })
  | { problems: Problem[] };

/** Cuts a batch into pieces. A line that is longer than a piece, or than an upload may be, is a piece alone. Throws a Refusal. */
export function cutBatch(batch: Buffer, maxLineBytes: number): BatchPiece[] {
  const longest = Math.min(pieceBytes, maxLineBytes);
  const pieces: BatchPiece[] = [];
  let piece: BatchPiece | undefined;
  for (const { line, start, end } of linesOf(batch)) {
    if (line > maxBatchLines) throw tooManyLines(maxBatchLines);
    if (start === end) continue;
    if (!piece || piece.lines.length === linesPerPiece || end - piece.start > longest) {
      piece = { start, end, lines: [] };
      pieces.push(piece);
    }
    piece.end = end;
    piece.lines.push(line);
  }
  if (pieces.length === 0) throw invalid([problem('missing', ['body'])]);
  return pieces;
}

/** Reads the lines of a piece that are not blank. The interactions of the good ones follow each other in one buffer. */
export function readLines(piece: Buffer, preparation: Pick<BodyPreparation, 'upload'>) {
  const lines: BatchLine[] = [];
  const interactions: Uint8Array[] = [];
  // Beyond the size of the piece, a line tells only the first of its problems: a small batch cannot ask for a huge answer.
  let room = piece.length;
  for (const { start, end } of linesOf(piece)) {
    if (start === end) continue;
    try {
      const { interaction, ...upload } = preparation.upload(piece.subarray(start, end), []);
      const packed = packInteraction(JSON.stringify(interaction));
      interactions.push(packed);
      lines.push({ ...upload, bytes: packed.length });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const problems = room > 0 ? error.problems : error.problems.slice(0, 1);
      room -= JSON.stringify(problems).length;
      lines.push({ problems });
    }
  }
  return { lines, interactions: new Uint8Array(Buffer.concat(interactions)) };
}

const newline = 0x0a;

/** The lines without the white space around them, numbered from 1. */
function* linesOf(bytes: Buffer): Generator<{ line: number; start: number; end: number }> {
  let next = 0;
  for (let line = 1; next < bytes.length; line++) {
    const found = bytes.indexOf(newline, next);
    let start = next;
    let end = found < 0 ? bytes.length : found;
    next = end + 1;
    while (start < end && isBlank(bytes[start])) start++;
    while (end > start && isBlank(bytes[end - 1])) end--;
    yield { line, start, end };
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
