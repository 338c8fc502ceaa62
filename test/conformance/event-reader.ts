/** Server-sent events as sent, read at the test's own pace. */

/** One block of a stream, fields as they were written. */
export interface RawEvent {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The text of every `data:` line. */
  readonly data: readonly string[];
  /** Lines that are neither a field of events nor empty. */
  readonly other: readonly string[];
}

/** Reads the blocks of a response of `text/event-stream`; leaving the loop breaks the connection. */
export async function* readEvents(response: Response): AsyncGenerator<RawEvent> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let buffer = "";
  for await (const chunk of response.body ?? []) {
    buffer += decoder.decode(chunk, { stream: true });
    for (let end = buffer.indexOf("\n\n"); end >= 0; end = buffer.indexOf("\n\n")) {
      yield parseBlock(buffer.slice(0, end));
      buffer = buffer.slice(end + 2);
    }
  }
  if (buffer !== "") throw new Error(`the stream broke off in the middle of an event: ${buffer}`);
}

function parseBlock(block: string): RawEvent {
  const lines = block.split("\n");
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  return {
    id: field("id")[0],
    name: field("event")[0],
    data: field("data"),
    other: lines.filter((line) => !/^(id|event|data): /.test(line)),
  };
}
