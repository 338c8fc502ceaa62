import type { JsonObject, JsonValue } from "../json/index.ts";
import type { Redactor } from "../redaction/index.ts";

/** What of an event everyone may see (S3): these members of its data, never a text. */
const PUBLIC_MEMBERS = ["id", "origin", "priority", "state"] as const;
/** Topics of which everyone may see that part. */
const PUBLIC_TOPICS = /^(?:activity|inbox)\./;
/** Characters of a public member; what is longer is no name. */
const MAX_PUBLIC_TEXT = 128;

/** `at` is epoch milliseconds. */
export interface EventPosition {
  readonly epoch: number;
  readonly seq: number;
  readonly at: number;
}

/** An event of the bus. Its texts are made when it is first read: many events are never read. */
export class BusEvent {
  /** `<epoch>-<seq>`: the cursor of a reader that has it. */
  readonly id: string;
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly topic: string;
  /** Bytes it takes, about. */
  readonly size: number;
  #data: string;
  #text: string | undefined;
  #publicText: string | undefined;

  /** `data`: a JSON object as text. */
  constructor({ epoch, seq, at }: EventPosition, topic: string, data: string) {
    this.id = `${epoch}-${seq}`;
    this.seq = seq;
    this.at = at;
    this.topic = topic;
    this.size = 200 + 2 * data.length;
    this.#data = data;
  }

  /** For the operator: `{topic, data, seq}` as JSON, without secrets (S5). */
  get text(): string {
    return this.#text ?? "";
  }

  /** For everyone else (S3); undefined: nothing of it. */
  get publicText(): string | undefined {
    return this.#publicText;
  }

  /** Makes the texts, once. */
  render(redactor: Redactor): this {
    if (this.#text !== undefined) return this;
    const data = redactor.value(JSON.parse(this.#data)) as JsonObject;
    const { topic, seq } = this;
    this.#text = JSON.stringify({ topic, data, seq });
    if (PUBLIC_TOPICS.test(topic)) this.#publicText = JSON.stringify({ topic, data: publicPart(data), seq });
    if (topic === "stream.gap") this.#publicText = this.#text;
    this.#data = "";
    return this;
  }
}

function publicPart(data: JsonObject): JsonObject {
  return Object.fromEntries(PUBLIC_MEMBERS.map((name) => [name, isName(data[name]) ? data[name] : undefined]));
}

function isName(value: JsonValue | undefined): boolean {
  return typeof value === "number" || (typeof value === "string" && value.length <= MAX_PUBLIC_TEXT);
}
