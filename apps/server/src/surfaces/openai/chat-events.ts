/**
 * The stream of a completion, as texts of server-sent events. Text is sent as it is committed. What has been sent cannot
 * be taken back on this wire: text that turns out not to be the answer (tool calls follow, or a crash made the model
 * start again) stays, and what follows begins after a blank line.
 */
import type { OpenedTurn, TaskEvent } from "@agent-service/agent-core/host";
import { answerText, type ChatOutcome, type ChatReader, chatOutcome } from "./chat-outcome.ts";
import type { CompletionWriter } from "./completion-writer.ts";

/** The text sent so far, as lengths. */
class SentText {
  /** Characters of the text that may still be the answer. */
  #current = 0;
  #any = false;

  /** The piece as it is to be sent. */
  add(piece: string): string {
    if (piece === "") return "";
    const lead = this.#any && this.#current === 0 ? "\n\n" : "";
    this.#any = true;
    this.#current += piece.length;
    return lead + piece;
  }

  /** What was sent is not the answer. */
  reset(): void {
    this.#current = 0;
  }

  /** What the whole text has beyond what was sent of it. */
  rest(whole: string): string {
    return this.add(whole.slice(this.#current));
  }

  /** A text of its own, apart from what was sent before it. */
  apart(text: string): string {
    this.reset();
    return this.add(text);
  }
}

function textOf(event: TaskEvent, sent: SentText): string {
  switch (event.kind) {
    case "text.delta":
      return sent.add(event.text);
    case "text.reset":
      sent.reset();
      return "";
    case "answer":
      return sent.rest(answerText(event.parts));
    default:
      return "";
  }
}

/** What the pieces are made with. */
export interface ChatEventOptions {
  readonly writer: CompletionWriter;
  readonly reader: ChatReader;
  readonly includeUsage: boolean;
}

/**
 * Pieces of the stream, each of whole events; it advances when it is pulled. Nothing comes before there is text, so that
 * a failure that comes first can still be an answer of its own.
 * @throws ApiError when the task fails
 */
export async function* chatEvents(
  chat: OpenedTurn,
  { writer, reader, includeUsage }: ChatEventOptions,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  const sent = new SentText();
  let opening = writer.role();
  const written = (text: string): string => {
    if (text === "") return "";
    const events = opening + writer.text(text);
    opening = "";
    return events;
  };
  let cursor = chat.after;
  let outcome: ChatOutcome | undefined;
  // A task that was parked may be at work again before its question could be told.
  while (outcome === undefined) {
    for await (const page of chat.task.follow(cursor, signal)) {
      const events = page.map(({ event }) => written(textOf(event, sent))).join("");
      cursor = page.at(-1)?.seq ?? cursor;
      if (events !== "") yield events;
    }
    if (signal.aborted) return;
    outcome = chatOutcome(chat, reader);
  }
  const question = outcome.question ? written(sent.apart(outcome.text)) : "";
  const end = writer.finish(outcome.finish) + (includeUsage ? writer.usage(outcome.usage) : "");
  yield `${question}${opening}${end}data: [DONE]\n\n`;
}
