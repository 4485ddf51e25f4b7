const lengthBytes = 4;

/** Puts together what comes over a connection in pieces: frames, each with its length before it. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #collected = 0;
  #needed = lengthBytes;

  /** The frames that are complete with this piece, without their length. */
  read(piece: Buffer): Buffer[] {
    this.#pieces.push(piece);
    this.#collected += piece.length;
    const frames: Buffer[] = [];
    while (this.#collected >= this.#needed) {
      const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
      const end = lengthBytes + all.readUInt32BE(0);
      const isComplete = all.length >= end;
      if (isComplete) frames.push(all.subarray(lengthBytes, end));
      this.#pieces = [isComplete ? all.subarray(end) : all];
      this.#collected = this.#pieces[0]?.length ?? 0;
      this.#needed = isComplete ? lengthBytes : end;
    }
    return frames;
  }
}
