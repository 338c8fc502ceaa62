import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

/** A request that is sent byte for byte: `fetch` would not let it choose its own Host or Origin. */
export interface Question {
  readonly method?: string;
  /** Request target, not normalised. */
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent with a Content-Length, or in chunks where the headers name chunked coding. */
  readonly body?: string | Buffer;
  readonly agent?: Agent;
  /** true: a stream of events is left as soon as its head arrived; its text is "". */
  readonly leaveStream?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends one request to a server of this machine over a real socket and reads the whole answer. */
export function ask(port: number, question: Question = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port,
        method: question.method ?? "GET",
        path: question.path ?? "/",
        headers: question.headers,
        agent: question.agent ?? false,
      },
      (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        if (question.leaveStream && headers["content-type"]?.startsWith("text/event-stream") === true) {
          resolve({ status, headers, text: "" });
          outgoing.destroy();
          return;
        }
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () =>
          resolve({
            status,
            headers,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(question.body);
  });
}
