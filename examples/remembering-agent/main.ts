import { createAgentCore, knowledge, scripted } from "@agent-service/agent-core";

// What it remembers stays in memory here; "file:memory.db" or "libsql://…" keeps it.
const memory = knowledge({ url: () => ":memory:", exists: () => true });
const core = await createAgentCore({
  store: ":memory:",
  model: { model: scripted(), name: "scripted" },
  features: [memory],
});

async function say(context: string, text: string): Promise<void> {
  const task = await core.tasks.start({ context, text });
  await task.settled();
  console.log(`${context}: ${JSON.stringify(task.view.answer)}`);
  for await (const { event } of core.tasks.follow(task.id))
    if (event.kind === "context.recalled")
      console.log(`  recalled: ${event.items.map(({ chunk }) => chunk).join(", ")}`);
}

await say("monday", '/call memory_ingest {"content": "With oat milk.", "subject": "coffee", "domain": "preferences"}');
await say("tuesday", "How do they take their coffee?");
await core.stop();
