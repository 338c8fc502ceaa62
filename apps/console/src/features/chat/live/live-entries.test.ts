import { expect, test } from "vitest";
import { createLiveEntries } from "./live-entries.ts";
import type { LiveTurn } from "./live-turn.ts";

const turn = (key: string, session: string): LiveTurn => ({
  ...{ key, session, sentText: "", files: [], startedAt: 1_000, state: "completed" },
  ...{ open: false, reconnecting: false, steps: [], text: "", components: [] },
});

test("beyond the maximum the ended turns added first are dropped, also from the list of their session", () => {
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

test("a rewind drops the turns after its task, stored or not; earlier ones and those of other sessions stay", () => {
  const entries = createLiveEntries<undefined>(() => {});
  entries.add({ ...turn("kept", "a"), taskId: "t1" }, undefined);
  entries.add({ ...turn("removed", "a"), taskId: "t2" }, undefined);
  entries.add({ ...turn("sent", "a") }, undefined);
  entries.add({ ...turn("other", "b"), taskId: "t3" }, undefined);
  entries.forgetAfter("a", "t1");
  expect([...entries.of("a"), ...entries.of("b")].map(({ key }) => key)).toEqual(["kept", "sent", "other"]);
});

test("turns that are still followed are not dropped, however many there are", () => {
  const entries = createLiveEntries<undefined>(() => {});
  entries.add({ ...turn("running", "a"), open: true }, undefined);
  for (let no = 0; no < 200; no++) entries.add(turn(`k${no}`, "b"), undefined);
  expect(entries.shown("running")).toBeDefined();
  expect([entries.shown("k0"), entries.of("b").length]).toEqual([undefined, 199]);
});

test("all changes of a frame are shown together, and only the turn's own listeners are notified", () => {
  const frames: (() => void)[] = [];
  const entries = createLiveEntries<undefined>((run) => frames.push(run));
  for (const key of ["one", "two"]) entries.add(turn(key, "a"), undefined);
  const notified: string[] = [];
  const stop = entries.onTurn("one", () => notified.push("one"));
  entries.onTurn("two", () => notified.push("two"));
  for (const text of ["a", "ab", "abc"]) entries.change("one", (before) => ({ ...before, text }));
  expect([entries.entry("one")?.turn.text, entries.shown("one")?.text, frames.length]).toEqual(["abc", "", 1]);
  for (const frame of frames.splice(0)) frame();
  expect([entries.shown("one")?.text, notified]).toEqual(["abc", ["one"]]);
  stop();
  entries.change("one", (before) => ({ ...before, text: "abcd" }));
  expect(frames).toHaveLength(1);
  for (const frame of frames.splice(0)) frame();
  expect([entries.shown("one")?.text, notified]).toEqual(["abcd", ["one"]]);
});

test("a list stays the same array while text arrives, and is a new one once a turn got its task", () => {
  const frames: (() => void)[] = [];
  const entries = createLiveEntries<undefined>((run) => frames.push(run));
  entries.add(turn("one", "a"), undefined);
  const list = entries.of("a");
  let notified = 0;
  const stop = entries.onList(() => notified++);
  entries.change("one", (before) => ({ ...before, text: "x" }));
  for (const frame of frames.splice(0)) frame();
  expect([entries.of("a") === list, notified]).toEqual([true, 0]);
  entries.change("one", (before) => ({ ...before, taskId: "t1" }));
  for (const frame of frames.splice(0)) frame();
  expect([entries.of("a") === list, notified, entries.of("a")[0]?.taskId]).toEqual([false, 1, "t1"]);
  expect(entries.ofTask("t1")?.turn.key).toBe("one");
  stop();
  entries.drop("one");
  expect([entries.of("a"), notified]).toEqual([[], 1]);
});

test("a turn that was dropped is neither changed nor brought back", () => {
  const frames: (() => void)[] = [];
  const entries = createLiveEntries<undefined>((run) => frames.push(run));
  entries.add(turn("one", "a"), undefined);
  entries.change("one", (before) => ({ ...before, text: "x" }));
  entries.drop("one");
  entries.change("one", (before) => ({ ...before, text: "y" }));
  for (const frame of frames.splice(0)) frame();
  expect([entries.shown("one"), entries.of("a")]).toEqual([undefined, []]);
});

test("an unknown entry is neither found nor listened to, and dropping it notifies no listener", () => {
  const entries = createLiveEntries<undefined>(() => {});
  entries.add({ ...turn("one", "a"), taskId: "t1" }, undefined);
  let notified = 0;
  entries.onList(() => notified++);
  entries.drop("other");
  entries.onTurn("other", () => notified++)();
  expect([entries.ofTask("t2"), entries.entry("other"), notified]).toEqual([undefined, undefined, 0]);
});

test("the stored tasks of a session are complete from the first of them on, itself included", () => {
  const entries = createLiveEntries<undefined>(() => {});
  for (const task of ["t1", "t2", "t3"]) entries.add({ ...turn(task, "a"), taskId: task }, undefined);
  entries.add(turn("sent", "a"), undefined);
  entries.reconcile("a", new Set(["t1", "t2", "t3"]), "t1");
  entries.reconcile("a", new Set(["t3"]), "t2");
  expect(entries.of("a").map(({ key }) => key)).toEqual(["t1", "t3", "sent"]);
});
