/**
 * The conversations that model calls were sent, each message once. A message is known by a digest of itself and of
 * everything before it: two calls share exactly the messages they have in common, in the same order.
 */
import { createHash } from "node:crypto";
import { namedStatement, type Row } from "../database/index.ts";
import type { ModelMessage } from "../model/index.ts";

/** A message as clients read it. */
export interface PromptMessage {
  readonly id: string;
  /** The message before it; null for the first. */
  readonly prior: string | null;
  readonly role: ModelMessage["role"];
  readonly text: string;
  /** Images in it: type and size only. */
  readonly images?: readonly { readonly media_type: string; readonly bytes: number }[];
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  /** Of a tool's result. */
  readonly call_id?: string;
  readonly tool?: string;
}

/** Where the conversation of a call begins and ends among the kept messages. */
export interface KeptConversation {
  readonly root: string;
  readonly head: string;
}

/** A message to be stored, in the order of `MESSAGE_COLUMNS`. */
export type MessageRow = readonly [
  digest: string,
  prior: string | null,
  root: string,
  position: number,
  size: number,
  body: string,
];

const MESSAGE_COLUMNS = ["digest", "prior", "root", "position", "size", "body"];

/** Bounds of what one read returns; the newest messages come first. */
const MAX_READ_MESSAGES = 5_000;
const MAX_READ_CHARS = 4 * 1024 * 1024;

export const insertMessages = namedStatement(
  `WITH given AS MATERIALIZED (SELECT jsonb(value) AS row FROM json_each(:rows)) INSERT INTO prompt_message (${MESSAGE_COLUMNS.join(", ")}) SELECT ${MESSAGE_COLUMNS.map((_, i) => `row ->> ${i}`).join(", ")} FROM given WHERE true ON CONFLICT DO NOTHING`,
);
export const trimMessages = namedStatement(
  "DELETE FROM prompt_message WHERE NOT EXISTS (SELECT 1 FROM prompt_call WHERE prompt_call.root = prompt_message.root)",
);
const selectMessages = namedStatement(
  `WITH RECURSIVE chain (digest, prior, position, size) AS (
    SELECT digest, prior, position, size FROM prompt_message WHERE digest IN (SELECT value FROM json_each(:heads))
    UNION SELECT m.digest, m.prior, m.position, m.size FROM prompt_message AS m JOIN chain ON m.digest = chain.prior
  ), newest AS (
    SELECT digest, position, sum(size) OVER (ORDER BY position DESC, digest ROWS UNBOUNDED PRECEDING) AS total
    FROM chain ORDER BY position DESC, digest LIMIT ${MAX_READ_MESSAGES}
  ) SELECT newest.digest, prior, body FROM newest JOIN prompt_message USING (digest)
  WHERE total <= ${MAX_READ_CHARS} ORDER BY newest.position`,
);

/** The statement that reads the conversations that end in `heads`: of all of them the newest messages, the oldest first. */
export function messagesOf(heads: readonly string[]): ReturnType<typeof selectMessages.bind> {
  return selectMessages.bind({ heads: JSON.stringify([...new Set(heads)]) });
}

/** Reads a row of `messagesOf`. */
export function promptMessage([digest, prior, body]: Row): PromptMessage {
  const content = JSON.parse(String(body)) as Omit<PromptMessage, "id" | "prior">;
  return { id: String(digest), prior: prior === null ? null : String(prior), ...content };
}

/** Names the messages of conversations by their digests, and says which of them are not stored yet. */
export class MessageChain {
  readonly #clean: (text: string) => string;
  /** The digest of each message seen since the last trim, and what came before it then. */
  #known = new WeakMap<ModelMessage, { readonly prior: string; readonly digest: string }>();

  constructor(clean: (text: string) => string) {
    this.#clean = clean;
  }

  /** Call it whenever stored messages may be gone. */
  forget(): void {
    this.#known = new WeakMap();
  }

  /** Adds to `rows` what has to be stored of a conversation. Undefined: it is empty. `owner` keeps conversations of different sessions apart. */
  add(owner: string, messages: readonly ModelMessage[], rows: MessageRow[]): KeptConversation | undefined {
    // The first of a conversation follows its owner, which has no row.
    const start = hash(owner);
    let prior = start;
    let root: string | undefined;
    messages.forEach((message, index) => {
      const known = this.#known.get(message);
      let digest = known?.digest;
      // Two conversations may hold the same message: what came before it has to be the same too.
      if (digest === undefined || known?.prior !== prior) {
        const body = JSON.stringify(this.#bodyOf(message));
        digest = hash(`${prior}\n${body}`);
        rows.push([digest, index === 0 ? null : prior, root ?? digest, index + 1, body.length, body]);
        this.#known.set(message, { prior, digest });
      }
      root ??= digest;
      prior = digest;
    });
    return root === undefined ? undefined : { root, head: prior };
  }

  #bodyOf(message: ModelMessage): Omit<PromptMessage, "id" | "prior"> {
    if (message.role === "tool") {
      const { role, callId, name, text } = message;
      return { role, text: this.#clean(text), call_id: this.#clean(callId), tool: this.#clean(name) };
    }
    if (message.role === "assistant") {
      const { role, text, toolCalls = [] } = message;
      const tool_calls = toolCalls.map(({ id, name, args }) => ({
        ...{ id: this.#clean(id), name: this.#clean(name), args: this.#clean(args) },
      }));
      return { role, text: this.#clean(text), ...(tool_calls.length > 0 && { tool_calls }) };
    }
    const texts = message.content.flatMap((part) => (part.kind === "text" ? [part.text] : []));
    const images = message.content.flatMap((part) =>
      part.kind === "image" ? [{ media_type: part.mediaType, bytes: Math.floor((part.data.length * 3) / 4) }] : [],
    );
    return { role: "user", text: this.#clean(texts.join("\n")), ...(images.length > 0 && { images }) };
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 24);
}
