import type { Problem, ProblemDetail } from "../problem/index.ts";
import type { MediaBody } from "./reply.ts";
import { Accepted, type RouteDefinition } from "./route-definition.ts";

/** An answer before it is sent, in a form that can be stored under an idempotency key. */
export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Undefined: no body. */
  readonly body: string | ReadableStream<Uint8Array> | undefined;
}

/** The answer that carries what a handler returned. */
export function answerOf(definition: RouteDefinition, value: unknown): Answer {
  const { reply } = definition;
  if (reply.kind === "empty" || value === undefined) return { status: 204, headers: noStore, body: undefined };
  if (value instanceof Accepted) return jsonAnswer(202, value.value);
  if (reply.kind === "json") return jsonAnswer(reply.status, value);
  const { body, headers } = value as MediaBody;
  const contentType = reply.kind === "events" ? "text/event-stream" : reply.contentType;
  return { status: reply.status, headers: { ...noStore, "content-type": contentType, ...headers }, body };
}

/** The answer of a refusal: `{detail}`, with every text in it passed through `redact` (S5). */
export function answerOfProblem({ status, detail, retryAfter }: Problem, redact: (text: string) => string): Answer {
  const headers: Answer["headers"] =
    retryAfter === undefined ? {} : { "retry-after": String(Math.max(0, Math.ceil(retryAfter))) };
  return jsonAnswer(status, { detail: redacted(detail, redact) }, headers);
}

/** The answer as the web has it. */
export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body ?? null, { status, headers: { ...headers } });
}

const noStore = { "cache-control": "no-store" } as const;

function jsonAnswer(status: number, value: unknown, headers?: { readonly [name: string]: string }): Answer {
  return {
    status,
    headers: { "content-type": "application/json", ...noStore, ...headers },
    body: JSON.stringify(value),
  };
}

function redacted(detail: ProblemDetail, redact: (text: string) => string): unknown {
  if (typeof detail === "string") return redact(detail);
  if (isList(detail)) {
    return detail.map(({ loc, msg, type }) => ({
      loc: loc.map((part) => (typeof part === "string" ? redact(part) : part)),
      msg: redact(msg),
      type,
    }));
  }
  return Object.fromEntries(
    Object.entries(detail).map(([key, value]) => [key, typeof value === "string" ? redact(value) : value]),
  );
}

function isList(detail: ProblemDetail): detail is Extract<ProblemDetail, readonly unknown[]> {
  return Array.isArray(detail);
}
