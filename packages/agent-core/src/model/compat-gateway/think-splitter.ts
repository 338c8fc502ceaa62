const OPEN = "<think>";
const CLOSE = "</think>";

/** Where split text goes. */
export interface TextSink {
  text(text: string): void;
  reasoning(text: string): void;
}

/**
 * Parts an answer's text from a `<think>…</think>` block at its very beginning, which is how models without a reasoning
 * field send their reasoning. The tags may be cut anywhere between two pieces. Text later in the answer is never
 * touched, so an answer about the tag itself stays whole.
 */
export class ThinkSplitter {
  readonly #sink: TextSink;
  #state: "start" | "inside" | "after" | "answer" = "start";
  #held = "";

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Takes the next piece of the answer's text. */
  push(piece: string): void {
    if (this.#state === "answer") this.#sink.text(piece);
    else this.#split(this.#held + piece);
  }

  /** The answer is over: emits what was held back. */
  end(): void {
    const held = this.#held;
    this.#held = "";
    if (held === "") return;
    if (this.#state === "inside") this.#sink.reasoning(held);
    else if (this.#state === "start") this.#sink.text(held);
  }

  #split(text: string): void {
    this.#held = "";
    if (this.#state === "start") {
      const lead = text.trimStart();
      if (lead.length < OPEN.length && OPEN.startsWith(lead)) {
        this.#held = text;
        return;
      }
      if (!lead.startsWith(OPEN)) {
        this.#answer(text);
        return;
      }
      this.#state = "inside";
      this.#inside(lead.slice(OPEN.length));
    } else if (this.#state === "inside") this.#inside(text);
    else this.#after(text);
  }

  #inside(text: string): void {
    const end = text.indexOf(CLOSE);
    if (end === -1) {
      const keep = partialClose(text);
      if (keep < text.length) this.#sink.reasoning(text.slice(0, text.length - keep));
      this.#held = text.slice(text.length - keep);
      return;
    }
    if (end > 0) this.#sink.reasoning(text.slice(0, end));
    this.#state = "after";
    this.#after(text.slice(end + CLOSE.length));
  }

  /** White space between the block and the answer belongs to neither. */
  #after(text: string): void {
    const answer = text.trimStart();
    if (answer !== "") this.#answer(answer);
  }

  #answer(text: string): void {
    this.#state = "answer";
    this.#sink.text(text);
  }
}

/** How many characters at the end of `text` may be the beginning of the closing tag. */
function partialClose(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
