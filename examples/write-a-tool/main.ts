// #region test
import assert from "node:assert/strict";
import { fakeHost } from "@agent-service/plugin-sdk/testing";
import { Payments } from "./payments.ts";
import { refundTool } from "./refund.ts";

const host = fakeHost({ tools: [refundTool(new Payments())] });

const asked = await host.call("refund_order", { orderId: "7", reason: "late" });
assert.equal(asked.kind, "needs-approval");
assert.deepEqual(await host.reconcile(asked.callId), { kind: "did-not-happen" });

const refunded = await host.approve(asked.callId);
assert.equal(refunded.kind, "returned");
assert.deepEqual(await host.reconcile(asked.callId), { kind: "happened", output: refunded.output });
// #endregion test

console.log(refunded.output);
