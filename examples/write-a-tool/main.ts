// #region test
import assert from "node:assert/strict";
import { fakeHost } from "@agent-service/plugin-sdk/testing";
import { Payments } from "./payments.ts";
import { refundTool } from "./refund.ts";

const payments = new Payments();
const host = fakeHost({ tools: [refundTool(payments)] });

const asked = await host.call("refund_order", { orderId: "7", reason: "late" });
assert.equal(asked.kind, "needs-approval");
assert.deepEqual(await host.reconcile(asked.callId), { kind: "did-not-happen" });

const refunded = await host.approve(asked.callId);
assert.equal(refunded.kind, "returned");
assert.deepEqual(await host.reconcile(asked.callId), { kind: "happened", output: refunded.output });

payments.loseNextAnswer = true;
const again = await host.call("refund_order", { orderId: "8", reason: "broken" });
assert.equal((await host.approve(again.callId)).kind, "unknown");
assert.equal((await host.reconcile(again.callId)).kind, "happened");

const peer = { caller: { class: "federation" } };
assert.equal((await host.call("refund_order", { orderId: "9", reason: "" }, peer)).kind, "unavailable");

// #endregion test

import { bookFlightTool } from "./book-flight.ts";

const desk = fakeHost({ tools: [bookFlightTool()] });
const { callId } = await desk.call("book_flight", { to: "Oslo" });
assert.equal((await desk.answer(callId, { name: "Ada" })).kind, "parked");
assert.deepEqual(await desk.answer(callId, "window"), {
  kind: "returned",
  callId,
  output: { to: "Oslo", passenger: { name: "Ada" }, seat: "window" },
});

const { callId: other } = await desk.call("book_flight", { to: "Rome" });
assert.deepEqual(await desk.answer(other, false), { kind: "returned", callId: other, output: "Nobody flies." });

console.log(host.presented(asked.callId, "done", refunded.output));
