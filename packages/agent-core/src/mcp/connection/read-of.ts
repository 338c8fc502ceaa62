import type { JsonObject } from "../../json/index.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ManagedServer } from "./managed-server.ts";

/** How often it is asked on a new connection because the server never received it. */
const MAX_UNSENT = 2;

/** What is asked of a server. It changes nothing there. */
export interface ReadRequest {
  readonly method: "prompts/get" | "resources/list" | "resources/templates/list" | "resources/read";
  readonly params: JsonObject;
  /** Milliseconds that it has to answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a server on its connection, and asks again what was not sent, and once what was lost (M6).
 * @throws ConnectionError, and the reason of the signal
 */
export async function readOf(
  current: () => ManagedServer | undefined,
  { method, params, signal, timeoutMs }: ReadRequest,
): Promise<JsonObject> {
  let unsent = 0;
  let isSentAgain = false;
  for (;;) {
    const server = current();
    if (server === undefined) throw new ConnectionError("not_sent", "the server is switched off or was removed");
    const connection = await server.connection(signal);
    try {
      return await server.during(() => connection.request(method, params, { signal, timeoutMs }));
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (error.code === "auth") server.needsAuth(error.message);
      if (error.code === "not_sent" && unsent++ < MAX_UNSENT) continue;
      if (error.code !== "lost" || isSentAgain) throw error;
      isSentAgain = true;
    }
  }
}
