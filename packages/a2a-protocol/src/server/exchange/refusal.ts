import { JSON_HEADERS } from "./answer-headers.ts";

/** An answer outside the protocol (A4). */
export function refusal(status: number, detail: string, headers?: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify({ detail }), { status, headers: { ...JSON_HEADERS, ...headers } });
}
