import { createAgentCore } from "@agent-service/agent-core";
import { cancelOrder } from "./cancel-order.ts";
import { chooseModel } from "./model.ts";

const core = await createAgentCore({
  store: ":memory:", // or "file:agent.db", or "libsql://…"
  model: chooseModel(process.env),
  persona: "You are terse.",
  tools: [cancelOrder],
});

const task = await core.tasks.start({ context: "customer-7", text: '/call cancel_order {"id": 7}' });
for await (const { seq, event } of core.tasks.follow(task.id)) console.log(seq, event.kind);
console.log(task.view.state, task.view.prompts[0]?.payload);
await core.tasks.answer(task.id, { answer: "approve" });
await task.settled();
console.log(task.view.state, task.view.answer);
await core.stop();
