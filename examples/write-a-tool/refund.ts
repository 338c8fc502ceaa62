import { type AnyTool, defineTool, OutcomeUnknownError } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { ConnectionLostError, type Payments } from "./payments.ts";

/** A tool that must not run twice by accident. */
export function refundTool(payments: Payments): AnyTool {
  // #region tool
  return defineTool({
    name: "refund_order",
    description: "Refund an order in full.",
    input: v.object({ orderId: v.string(), reason: v.string() }),
    effect: "effect",
    availableTo: ["lead"],
    content: "outside",
    present: {
      asks: "Refund order {orderId}?",
      doing: "Refunding order {orderId}",
      done: "Refunded order {orderId}[: {result}]",
    },
    approval: ({ orderId, reason }) => ({ title: `Refund order ${orderId}?`, detail: reason }),
    reconcile: (_, { callId }) => payments.find(callId),
    async run({ orderId, reason }, { callId, signal, log }) {
      log.info(`refunding ${orderId}: ${reason}`);
      try {
        return await payments.refund(orderId, { idempotencyKey: callId, signal });
      } catch (error) {
        if (error instanceof ConnectionLostError) throw new OutcomeUnknownError("the payment provider did not answer");
        throw error;
      }
    },
  });
  // #endregion tool
}
