import type { ModelMessage, WrittenConversation } from "../model-port.ts";

const FIRST_BYTES = 16 * 1024;

/**
 * Writes a message as a piece of JSON. `previous` stands before it; what it writes depends on nothing else. What `owner`
 * wrote is of no use to another.
 */
export interface MessageWriter {
  readonly owner: object;
  readonly write: (message: ModelMessage, previous: ModelMessage | undefined) => string;
}

/**
 * The first `count` messages as they were written in former calls, and what is new of them. The bytes hold until the next
 * call.
 */
export function writtenBefore(
  written: WrittenConversation,
  writer: MessageWriter,
  messages: readonly ModelMessage[],
  count: number,
): Buffer {
  let kept = written.kept;
  if (!(kept instanceof WrittenMessages) || kept.owner !== writer.owner) {
    kept = new WrittenMessages(writer);
    written.kept = kept;
  }
  const own = kept as WrittenMessages;
  const bytes = own.upTo(messages, count);
  written.bytes = own.size;
  return bytes;
}

/**
 * The messages of a conversation as bytes. A message is written when it first comes; where a list differs from the one
 * before, what followed is forgotten. Messages are compared by identity: they never change, and one that is shown
 * differently is another object.
 */
class WrittenMessages {
  readonly #writer: MessageWriter;
  readonly #messages: ModelMessage[] = [];
  /** Where each message ends. */
  readonly #ends: number[] = [];
  #bytes = Buffer.alloc(0);

  constructor(writer: MessageWriter) {
    this.#writer = writer;
  }

  get owner(): object {
    return this.#writer.owner;
  }

  /** Bytes it takes. */
  get size(): number {
    return this.#bytes.length;
  }

  upTo(messages: readonly ModelMessage[], count: number): Buffer {
    let same = 0;
    while (same < count && this.#messages[same] === messages[same]) same++;
    if (same < count) {
      this.#messages.length = same;
      this.#ends.length = same;
      for (let i = same; i < count; i++) this.#append(messages[i]!);
    }
    return this.#bytes.subarray(0, this.#ends[count - 1] ?? 0);
  }

  #append(message: ModelMessage): void {
    const text = this.#writer.write(message, this.#messages.at(-1));
    const start = this.#ends.at(-1) ?? 0;
    const end = start + Buffer.byteLength(text);
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, Math.ceil(end * 1.25)));
      this.#bytes.copy(grown, 0, 0, start);
      this.#bytes = grown;
    }
    this.#bytes.write(text, start);
    this.#messages.push(message);
    this.#ends.push(end);
  }
}
