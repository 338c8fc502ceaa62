import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HranaStream, type PipelineRequest } from "./hrana-stream.ts";

/** What becomes of one request. Left out: it is executed and answered. */
export interface HranaFate {
  /** Whether, or after what, it is executed. Without a reply this may be long after the connection broke. */
  readonly apply?: boolean | Promise<void>;
  /** `false` breaks the connection; a number answers with this HTTP status and nothing else; text is sent as the body. */
  readonly reply?: boolean | number | string;
}

/** What a test sees of a request. */
export interface HranaRequest {
  /** All SQL in it, in order. */
  readonly sql: readonly string[];
  readonly authorization: string | undefined;
}

/** A running Hrana server for tests. */
export interface HranaDouble {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Decides each later request's fate. */
  intercept(decide: ((request: HranaRequest) => HranaFate | undefined) | undefined): void;
  close(): Promise<void>;
}

/**
 * A server that implements enough of Hrana over HTTP, version 2 as JSON, for the libSQL client: execute, batch, sequence,
 * stored texts. It keeps its data in the file `path` through `node:sqlite`; a test support, not a database server.
 */
export async function startHranaDouble(path: string): Promise<HranaDouble> {
  let decide: ((request: HranaRequest) => HranaFate | undefined) | undefined;
  const server = createServer((request, response) => {
    answer(request, response, path, (seen) => decide?.(seen)).catch((error: unknown) => {
      response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intercept(next) {
      decide = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  decide: (seen: HranaRequest) => HranaFate | undefined,
): Promise<void> {
  if (request.method !== "POST" || request.url !== "/v2/pipeline") {
    // The client asks for version 3 first and takes this for "no".
    response.writeHead(404).end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { requests } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { requests: PipelineRequest[] };
  const { apply = true, reply = true } =
    decide({ sql: requests.flatMap(sqlOf), authorization: request.headers.authorization }) ?? {};
  if (reply === false && apply !== true) request.socket.destroy();
  if (apply instanceof Promise) await apply;
  const results = apply === false ? [] : runPipeline(path, requests);
  if (reply === false) request.socket.destroy();
  else if (typeof reply === "number") response.writeHead(reply, { "content-type": "text/plain" }).end();
  else {
    const body = typeof reply === "string" ? reply : JSON.stringify({ baton: null, base_url: null, results });
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  }
}

/** Each request is one stream: the client closes it at its end, which undoes an open transaction. */
function runPipeline(path: string, requests: readonly PipelineRequest[]): unknown[] {
  const stream = new HranaStream(path);
  try {
    return requests.map((request) => stream.run(request));
  } finally {
    stream.close();
  }
}

function sqlOf(request: PipelineRequest): string[] {
  const texts = [request.sql, request.stmt?.sql, ...(request.batch?.steps ?? []).map((step) => step.stmt.sql)];
  return texts.filter((sql): sql is string => typeof sql === "string");
}
