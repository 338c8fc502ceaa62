import { createSseParser } from "@agent-service/a2a-protocol";
import type { CommandContext } from "./command.ts";

/** An event of `GET /api/events`. */
export interface FollowedEvent {
  /** The cursor: the next connection continues after it. */
  readonly id: string;
  readonly topic: string;
  readonly data: { readonly [name: string]: unknown };
}

/** Maximum reconnections in a row without an event between. */
const MAX_ATTEMPTS = 10;

/**
 * Follows the events of the service until the signal aborts. A broken connection is resumed after the last event;
 * `opened` is called once the first one is open: nothing after that is missed. Where it breaks before its first event there is
 * no cursor to resume from: `opened` is called again then.
 */
export async function* followEvents(
  { request, io }: Pick<CommandContext, "request" | "io">,
  options: { readonly since?: string | undefined; readonly signal: AbortSignal; readonly opened?: () => Promise<void> },
): AsyncGenerator<FollowedEvent, void> {
  const { signal, opened } = options;
  let last = options.since;
  let wasOpen = false;
  for (let attempt = 0; !signal.aborted; attempt++) {
    let isOpen = false;
    try {
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
      const response = await request("/api/events", { headers, signal });
      const parser = createSseParser();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        if (!isOpen && last === options.since) await opened?.();
        isOpen = wasOpen = true;
        for (const { id, data } of parser.push(chunk)) {
          attempt = 0;
          last = id;
          yield { id, ...(JSON.parse(data) as Omit<FollowedEvent, "id">) };
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      const lost = error instanceof TypeError && attempt < MAX_ATTEMPTS && wasOpen;
      if (!lost) throw error;
    }
    await io.pause(Math.min(5_000, 200 * 2 ** attempt), signal);
  }
}
