import type { Client } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../json/index.ts";
import type { OfferedMethod } from "../offered-method.ts";
import type { ConnectionRequest } from "./connection-request.ts";
import { TASKS_EXTENSION } from "./task-answers.ts";

type Offers = Pick<ConnectionRequest, "elicitation" | "offers" | "onElicitation" | "onOffered">;

const NO_OFFERS: ReadonlySet<OfferedMethod> = new Set();

/** What servers may ask for, as they are shown it. */
export function capabilitiesOf({ elicitation, offers = NO_OFFERS }: Offers) {
  return {
    extensions: { [TASKS_EXTENSION]: {} },
    ...(elicitation && { elicitation: { form: {}, url: {} } }),
    ...(offers.has("sampling/createMessage") && { sampling: {} }),
    ...(offers.has("roots/list") && { roots: {} }),
  };
}

/** Answers what a server of the 2025 era asks. What is not offered is answered as a method that there is not. */
export function answerRequests(
  client: Client,
  { elicitation, offers = NO_OFFERS, onElicitation, onOffered }: Offers,
): void {
  if (elicitation) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq: { signal } }) => {
      const answer = await onElicitation({ params: params as unknown as JsonObject, signal });
      return answer as { action: "accept" | "decline" | "cancel" };
    });
  }
  for (const method of offers) {
    // Each answer fits its method; which that is, is known where the answer is made.
    client.setRequestHandler(method as "roots/list", async ({ params = {} }, { mcpReq: { signal } }) => {
      const answer = await onOffered?.(method, { params: params as unknown as JsonObject, signal });
      return (answer ?? {}) as unknown as { roots: [] };
    });
  }
}
