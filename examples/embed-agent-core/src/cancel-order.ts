import { defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";

/** Cancels an order, once a person has approved exactly this call. */
export const cancelOrder = defineTool({
  name: "cancel_order",
  description: "Cancel an order.",
  input: v.object({ id: v.number() }),
  effect: "idempotent",
  approval: ({ id }) => ({ title: `Cancel order ${id}?`, detail: "It has not been sent yet." }),
  run: ({ id }) => `Order ${id} is canceled.`,
});
