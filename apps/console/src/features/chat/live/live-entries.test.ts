import { expect, test } from "vitest";
import { createLiveEntries } from "./live-entries.ts";
import type { LiveTurn } from "./live-turn.ts";

const turn = (key: string, session: string): LiveTurn => ({
  ...{ key, session, sentText: "", files: [], startedAt: 1_000, state: "completed" },
  ...{ open: false, reconnecting: false, steps: [], text: "", components: [] },
});

test("of too many turns those that ended longest ago go, also from the list of their session", () => {
  const entries = createLiveEntries<undefined>(() => {});
  entries.add(turn("first", "a"), undefined);
  let notified = 0;
  entries.onList(() => notified++);
  expect(entries.of("a")).toHaveLength(1);
  for (let no = 0; no < 200; no++) entries.add(turn(`k${no}`, "b"), undefined);
  expect([entries.shown("first"), entries.of("a"), entries.of("b").length, notified]).toEqual([
    undefined,
    [],
    200,
    201,
  ]);
});

test("what was taken back goes, also what was never read; what came before it and other sessions stay", () => {
  const entries = createLiveEntries<undefined>(() => {});
  entries.add({ ...turn("kept", "a"), taskId: "t1" }, undefined);
  entries.add({ ...turn("gone", "a"), taskId: "t2" }, undefined);
  entries.add({ ...turn("sent", "a") }, undefined);
  entries.add({ ...turn("other", "b"), taskId: "t3" }, undefined);
  entries.forgetAfter("a", "t1");
  expect([...entries.of("a"), ...entries.of("b")].map(({ key }) => key)).toEqual(["kept", "sent", "other"]);
});
