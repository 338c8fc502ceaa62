import { expect, test } from "vitest";
import { readRecent, withRecent } from "./recent.ts";
import { arranged, type Entry } from "./sections.ts";

const entry = (id: string): Entry => ({ id, label: id, detail: "", run: () => {}, keepsId: true });
const sections = [
  { label: "Chats", entries: ["chat-1", "chat-2"].map(entry) },
  { label: "Runs", entries: [] },
  { label: "Actions", entries: ["go-chat", "theme"].map(entry) },
];
const shown = (recent: readonly string[], search: string) =>
  arranged(sections, recent, search).map(({ label, entries }) => [label, ...entries.map(({ id }) => id)]);

test("without a search what was used last is on top, once; with one it is first in its section", () => {
  expect(shown(["theme", "chat-2", "deleted"], "")).toEqual([
    ["Recently used", "theme", "chat-2"],
    ["Chats", "chat-1"],
    ["Actions", "go-chat"],
  ]);
  expect(shown(["theme", "chat-2"], "c")).toEqual([
    ["Chats", "chat-2", "chat-1"],
    ["Actions", "theme", "go-chat"],
  ]);
  expect(shown([], "")).toEqual([
    ["Chats", "chat-1", "chat-2"],
    ["Actions", "go-chat", "theme"],
  ]);
});

test("what was used is kept once, the last first, twenty at most; what is stored wrongly is nothing", () => {
  const ids = Array.from({ length: 30 }, (_, index) => `id-${index}`);
  const stored = [...ids, "id-3"].reduce<string | undefined>((kept, id) => withRecent(kept, id), undefined);
  expect(readRecent(stored)).toEqual(["id-3", ...ids.slice(11).reverse()]);
  expect([readRecent("{"), readRecent("5"), readRecent('["a",1]')]).toEqual([[], [], ["a"]]);
});
