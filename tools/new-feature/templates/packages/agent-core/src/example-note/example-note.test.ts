import { afterEach, beforeEach, expect, test } from "vitest";
import { type AgentCore, createAgentCore } from "../create-agent-core.ts";
import { scripted } from "../model/index.ts";
import { type ManualClock, manualClock } from "../testing/manual-clock.ts";
import { exampleNote } from "./index.ts";

const START = 1_700_000_000_000;
const features = [exampleNote] as const;
let clock: ManualClock;
let maxEntries: number;
let core: AgentCore<typeof features>;
beforeEach(async () => {
  clock = manualClock(START);
  maxEntries = 3;
  const model = { model: scripted(), name: "demo" };
  const settings = () => ({ max_entries: maxEntries });
  core = await createAgentCore({ store: ":memory:", clock, model, features, settings });
});
afterEach(() => core.stop({ graceMs: 0 }));

const texts = async () => (await core.features.exampleNote.list({ limit: 10 })).map(({ text }) => text);

test("an entry is kept with its time, and the newest is listed first", async () => {
  expect(await core.features.exampleNote.add("first", "a")).toEqual({ id: 1, text: "first", createdAt: START });
  await core.features.exampleNote.add("second", "b");
  expect(await texts()).toEqual(["second", "first"]);
  expect(await core.features.exampleNote.list({ limit: 10, before: 2 })).toHaveLength(1);
});

test("the same source adds one entry, also when the setting allows no more", async () => {
  const first = await core.features.exampleNote.add("first", "a");
  maxEntries = 1;
  expect(await core.features.exampleNote.add("again", "a")).toEqual(first);
  expect(await texts()).toEqual(["first"]);
});

test("max_entries bounds the entries, as it is at each call", async () => {
  maxEntries = 1;
  await core.features.exampleNote.add("first", "a");
  await expect(core.features.exampleNote.add("second", "b")).rejects.toMatchObject({ code: "full" });
  maxEntries = 2;
  await core.features.exampleNote.add("second", "b");
  expect(await texts()).toEqual(["second", "first"]);
});

test("the agent adds an entry with its tool", async () => {
  const task = await core.tasks.start({ text: '/call add_example_note {"text":"from the agent"}' });
  for await (const _ of core.tasks.follow(task.view.id));
  expect(await texts()).toEqual(["from the agent"]);
});
