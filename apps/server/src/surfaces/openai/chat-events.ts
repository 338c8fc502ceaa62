/**
 * The stream of a completion, as texts of server-sent events. Text is sent as it is committed. What has been sent cannot
 * be replaced on this wire: text that turns out not to be the answer (tool calls follow, or a crash made the model
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

  /** The text to send for a new piece. */
  add(piece: string): string {
    if (piece === "") return "";
    const lead = this.#any && this.#current === 0 ? "\n\n" : "";
    this.#any = true;
    this.#current += piece.length;
    return lead + piece;
  }

  /** Marks the sent text as not part of the answer. */
  reset(): void {
    this.#current = 0;
  }

  /** The rest of the whole text that was not sent yet. */
  rest(whole: string): string {
    return this.add(whole.slice(this.#current));
  }

  /** A separate text, after a blank line. */
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

export interface ChatEventOptions {
  readonly writer: CompletionWriter;
  readonly reader: ChatReader;
  readonly includeUsage: boolean;
}

/**
 * Chunks of the stream, each of whole events; it advances when it is pulled. Nothing is sent before there is text, so that
 * an earlier failure can still be an error response.
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
  // A task that was parked may run again before its question was sent.
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
