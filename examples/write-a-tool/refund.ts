import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Payments } from "./payments.ts";

/** A tool that must not run twice by accident. */
export function refundTool(payments: Payments): AnyTool {
  // #region tool
  return defineTool({
    name: "refund_order",
    description: "Refund an order in full.",
    input: v.object({ orderId: v.string(), reason: v.string() }),
    effect: "effect",
    approval: ({ orderId, reason }) => ({ title: `Refund order ${orderId}?`, detail: reason }),
    reconcile: (_, { callId }) => payments.find(callId),
    async run({ orderId, reason }, { callId, signal, log }) {
      log.info(`refunding ${orderId}: ${reason}`);
      return payments.refund(orderId, { idempotencyKey: callId, signal });
    },
  });
  // #endregion tool
}
