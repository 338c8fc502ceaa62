/** A reader that takes everything at once, and notes when it came. */
import { createHash } from "node:crypto";
import { saidAt } from "./talking-model.ts";

/** A stream that is being read. */
export interface HealthyReader {
  readonly taskId: string;
  /** Milliseconds from the model's delta to this reader, of every delta so far. */
  readonly latencies: readonly number[];
  /** Resolves once so many characters of text came. Rejects when the stream ended before. */
  received(chars: number): Promise<void>;
  /** Resolves at the stream's end, with its events behind the one of this number as `ReadStream` has them. */
  readonly ended: Promise<void>;
  digestAfter(first: number): string;
}

/** Sends a message as a stream. Resolves once its task is known. */
export async function startHealthyReader(url: string): Promise<HealthyReader> {
  const params = { message: { role: "user", parts: [{ text: "talk" }] } };
  const response = await fetch(`${url}/a2a`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/stream", params }),
  });
  const events: { readonly id: number; readonly line: string }[] = [];
  const latencies: number[] = [];
  const taskId = Promise.withResolvers<string>();
  let received = 0;
  let listener: { readonly chars: number; readonly resolve: () => void } | undefined;

  function take(event: string): void {
    const now = Date.now();
    const [, id, data] = /^id: (\d+)\ndata: (.*)$/s.exec(event) ?? [];
    if (id === undefined || data === undefined) return;
    events.push({ id: Number(id), line: `${id} ${data}\n` });
    if (events.length === 1) taskId.resolve((JSON.parse(data) as { result: { id: string } }).result.id);
    // The whole answer at the end repeats everything. The first piece of text is not marked as one that is appended (A6).
    if (!data.includes('"artifact-update"') || data.includes('"lastChunk":true')) return;
    for (const at of saidAt(data)) latencies.push(now - at);
    received += data.length;
    if (listener !== undefined && received >= listener.chars) listener.resolve();
  }
  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) take(block);
    }
  }
  const ended = read();
  // A caller that waits for the task has to get the failure of a stream before its first event.
  ended.then(
    () => taskId.reject(new Error(`the stream sent no task: ${response.status}`)),
    (error: unknown) => taskId.reject(error as Error),
  );
  return {
    taskId: await taskId.promise,
    latencies,
    ended,
    received: (chars) =>
      new Promise((resolve, reject) => {
        listener = { chars, resolve };
        if (received >= chars) resolve();
        const short = () => reject(new Error(`the stream ended after ${received} of ${chars} characters`));
        ended.then(short, reject);
      }),
    digestAfter(first) {
      const lines = events.filter(({ id }) => id > first).map(({ line }) => line);
      return createHash("sha256").update(lines.join("")).digest("hex");
    },
  };
}
