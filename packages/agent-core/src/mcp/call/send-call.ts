import type { Effect } from "@agent-service/plugin-sdk";
import type { JsonObject } from "../../json/index.ts";
import { ConnectionError, type ManagedServer, type ToolRequest } from "../connection/index.ts";

/** How often a call is made on a new connection because the server never received it. */
const MAX_UNSENT = 2;

/** A call of a tool, and what repeating it would mean. */
export interface SentCall extends ToolRequest {
  readonly effect: Effect;
}

/**
 * Makes a call and hands its result to `read`, which ends before the server does. Makes it again only where that cannot repeat an effect (MC2): what was not sent, and once what is pure
 * or idempotent and was lost (M6).
 * @throws ConnectionError, the reason of the call's signal, and what `read` throws
 */
export async function sendCall<T>(
  current: () => ManagedServer | undefined,
  call: SentCall,
  read: (result: JsonObject, server: ManagedServer) => T | Promise<T>,
): Promise<T> {
  let unsent = 0;
  let isSentAgain = false;
  let isAnswered = false;
  for (;;) {
    const server = current();
    if (server === undefined) throw new ConnectionError("not_sent", "the server is switched off or was removed");
    const connection = await server.connection(call.signal);
    try {
      return await server.during(async () => {
        const result = await connection.callTool(call);
        isAnswered = true;
        return read(result, server);
      });
    } catch (error) {
      if (isAnswered || !(error instanceof ConnectionError)) throw error;
      if (error.code === "auth") server.needsAuth(error.message);
      if (error.code === "not_sent" && unsent++ < MAX_UNSENT) continue;
      if (error.code !== "lost" || call.effect === "effect" || isSentAgain) throw error;
      isSentAgain = true;
    }
  }
}
