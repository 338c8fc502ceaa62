/** An event's text; or its pieces in order, of which bytes may be shared with the other streams that send them. */
export type EventText = string | readonly (string | Uint8Array)[];

/** Text that waits to be sent, first in first out. */
export class Outbox {
  readonly #pieces: (string | Uint8Array)[] = [];
  /** Characters or bytes of the first piece that were taken. */
  #taken = 0;
  #length = 0;

  constructor(text: EventText) {
    this.add(text);
  }

  /** Characters and bytes that wait. */
  get length(): number {
    return this.#length;
  }

  add(text: EventText): void {
    for (const piece of typeof text === "string" ? [text] : text) {
      if (piece.length === 0) continue;
      this.#pieces.push(piece);
      this.#length += piece.length;
    }
  }

  /** What comes next, `most` characters or bytes of it at the most; bytes are not copied. "" when nothing waits. */
  take(most: number): string | Uint8Array {
    const [first] = this.#pieces;
    const taken = first instanceof Uint8Array ? this.#takeBytes(first, most) : this.#takeText(most);
    this.#length -= taken.length;
    return taken;
  }

  #takeBytes(first: Uint8Array, most: number): Uint8Array {
    const start = this.#taken;
    const end = Math.min(first.length, start + most);
    this.#advance(end, first);
    return first.subarray(start, end);
  }

  /** Texts that follow each other, in whole code points. */
  #takeText(most: number): string {
    let text = "";
    for (let piece = this.#pieces[0]; typeof piece === "string" && text.length < most; piece = this.#pieces[0]) {
      const start = this.#taken;
      const end = wholeEnd(piece, start + most - text.length);
      text += start === 0 && end === piece.length ? piece : piece.slice(start, end);
      if (!this.#advance(end, piece)) break;
    }
    return text;
  }

  /** True when the piece is used up. */
  #advance(end: number, piece: string | Uint8Array): boolean {
    const isUsedUp = end === piece.length;
    if (isUsedUp) this.#pieces.shift();
    this.#taken = isUsedUp ? 0 : end;
    return isUsedUp;
  }
}

/** The last place not behind `end` at which a text can be cut without parting a surrogate pair. */
function wholeEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
