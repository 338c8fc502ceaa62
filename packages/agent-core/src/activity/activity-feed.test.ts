import { expect, it } from "vitest";
import { createAgentCore } from "../create-agent-core.ts";
import { scripted } from "../model/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { activity } from "./index.ts";

it("shows the notice that a goal has ended, and no turn that works on it (G27)", async () => {
  const core = await createAgentCore({
    ...{ store: ":memory:", clock: manualClock(), model: { model: scripted(), name: "demo" } },
    features: [activity],
  });
  const published = core.bus.follow(undefined, new AbortController().signal);
  const of = { class: "operator", context: "s", origin: "goal", provenance: { trigger: "goal:1" } } as const;
  const input = { messageId: "d", parts: [{ kind: "text", text: "/say at work" }] } as const;
  await (await core.service.start({ ...of, input })).settled();
  await core.service.notify({ ...of, subject: "(The goal: met.)", text: "The goal is met." });
  await core.service.notify({ ...of, class: "federation", subject: "theirs", text: "theirs" });
  expect(await core.features.activity.list(10)).toMatchObject([
    { origin: "goal", trigger: "goal:1", text: "The goal is met.", state: "completed" },
  ]);
  const events = await published.next();
  const messages = (events.done === true ? [] : events.value).filter(({ text }) => text.includes("activity.message"));
  expect(messages.map(({ text }) => (JSON.parse(text) as { data: object }).data)).toMatchObject([
    { origin: "goal", role: "assistant", text: "The goal is met.", state: "completed" },
  ]);
  await core.stop({ graceMs: 0 });
});

it("shows work that started by itself and messages of the activity conversation, and nothing else", async () => {
  const clock = manualClock(1_700_000_000_000);
  const core = await createAgentCore({
    ...{ store: ":memory:", clock, model: { model: scripted(), name: "demo" } },
    features: [activity],
  });
  const newest = async (): Promise<string | undefined> => (await core.features.activity.list(1))[0]?.state;
  const input = { messageId: "i", parts: [{ kind: "text", text: "/say did it" }] } as const;
  const provenance = { trigger: "inbox:1", priority: "now" } as const;
  const alarm = { class: "operator", context: "system:activity", origin: "inbox", input, provenance } as const;
  const fired = await core.service.start(alarm);
  await expect.poll(newest, { interval: 2 }).toBe("completed");
  const start = { origin: "a2a", input: { messageId: "m", parts: [{ kind: "text", text: "/fail 400" }] } } as const;
  const own = await core.service.start({ class: "operator", context: "system:activity", ...start });
  await core.service.start({ class: "operator", context: "elsewhere", ...start });
  await core.service.start({ class: "federation", context: "system:activity", ...start });
  await expect.poll(newest, { interval: 2 }).toBe("failed");
  const feed = await core.features.activity.list(10);
  expect(feed).toMatchObject([
    { task: own.view.id, origin: "a2a", trigger: undefined, stimulus: "/fail 400", state: "failed" },
    {
      task: fired.view.id,
      origin: "inbox",
      trigger: "inbox:1",
      text: "did it",
      createdAt: 1_700_000_000_000,
    },
  ]);
  expect(feed[0]?.text).toContain("400");
  expect(await core.features.activity.list(10, feed[0]?.task)).toHaveLength(1);
  await core.stop({ graceMs: 0 });
});
