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
 * Makes a call, and makes it again only where that cannot repeat an effect (MC2): what was not sent, and once what is pure
 * or idempotent and was lost (M6).
 * @throws ConnectionError, and the reason of the call's signal
 */
export async function sendCall(current: () => ManagedServer | undefined, call: SentCall): Promise<JsonObject> {
  let unsent = 0;
  let isSentAgain = false;
  for (;;) {
    const server = current();
    if (server === undefined) throw new ConnectionError("not_sent", "the server is switched off or was removed");
    const connection = await server.connection(call.signal);
    try {
      return await server.during(() => connection.callTool(call));
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (error.code === "auth") server.needsAuth(error.message);
      if (error.code === "not_sent" && unsent++ < MAX_UNSENT) continue;
      if (error.code !== "lost" || call.effect === "effect" || isSentAgain) throw error;
      isSentAgain = true;
    }
  }
}
