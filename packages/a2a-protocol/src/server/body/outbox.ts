import { HeldText } from "./long-texts.ts";
import { wholeEnd } from "./whole-end.ts";

/** A text that is sent; or its pieces in order, of which long ones are shared with the others that send them. */
export type OutgoingText = string | readonly (string | HeldText)[];

/** Text that waits to be sent, first in first out. */
export class Outbox {
  readonly #pieces: (string | HeldText)[] = [];
  readonly #onCut: () => void;
  /** Characters of the first piece that were taken. */
  #taken = 0;
  #length = 0;

  /** `onCut`: called where a long piece was taken away, because its reader has stalled and others need the room. */
  constructor(text: OutgoingText, onCut: () => void) {
    this.#onCut = onCut;
    this.add(text);
  }

  /** Characters, and bytes of shared pieces, that wait. */
  get length(): number {
    return this.#length;
  }

  add(text: OutgoingText): void {
    for (const piece of typeof text === "string" ? [text] : text) {
      if (piece.length === 0) continue;
      this.#pieces.push(piece);
      this.#length += piece.length;
      if (piece instanceof HeldText) piece.onCut = this.#onCut;
    }
  }

  /** What comes next, `most` characters or bytes of it at the most; bytes are not copied. "" when nothing waits. */
  take(most: number): string | Uint8Array {
    const [first] = this.#pieces;
    const taken = first instanceof HeldText ? first.take(most) : this.#takeText(most);
    if (first instanceof HeldText && first.length === 0) this.#pieces.shift();
    this.#length -= taken.length;
    return taken;
  }

  /** Drops what waits. */
  clear(): void {
    for (const piece of this.#pieces.splice(0)) if (piece instanceof HeldText) piece.release();
    this.#taken = 0;
    this.#length = 0;
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
  #advance(end: number, piece: string): boolean {
    const isUsedUp = end === piece.length;
    if (isUsedUp) this.#pieces.shift();
    this.#taken = isUsedUp ? 0 : end;
    return isUsedUp;
  }
}
