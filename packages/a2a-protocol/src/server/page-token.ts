import { invalidParams } from "../error/index.ts";

/** The last item of a page: the next page begins after it. */
export interface PageCursor {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly id: string;
}

/** A cursor as an opaque token. */
export function pageToken({ time, id }: PageCursor): string {
  const bytes = new TextEncoder().encode(`${time} ${id}`);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** The cursor in a token. Throws `A2AError` INVALID_PARAMS for a text that `pageToken` did not make. */
export function cursorOfToken(token: string): PageCursor {
  const [, time, id] = /^(\d{1,15}) (.+)$/s.exec(decoded(token) ?? "") ?? [];
  if (time === undefined || id === undefined || pageToken({ time: Number(time), id }) !== token) {
    throw invalidParams("params.pageToken: is not a token this agent gave out");
  }
  return { time: Number(time), id };
}

function decoded(token: string): string | undefined {
  try {
    const binary = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
