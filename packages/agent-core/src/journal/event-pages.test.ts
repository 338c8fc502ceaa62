import { describe, expect, test } from "vitest";
import type { CommittedEvent } from "../event/index.ts";
import { EventPages, type ReadEvents } from "./event-pages.ts";

/** A store of events, and what it was asked. */
function store(count: number) {
  const asked: string[] = [];
  const events = Array.from(
    { length: count },
    (_, i): CommittedEvent => ({ seq: i + 1, at: 0, event: { kind: "text.delta", text: `${i}` } }),
  );
  const read: ReadEvents = async (task, after, { limit }) => {
    asked.push(`${task} ${after}`);
    if (task === "broken") throw new Error("no disk");
    return events.slice(after, after + limit);
  };
  return { events, asked, pages: new EventPages(read) };
}

async function readAll(pages: EventPages, task: string, from: number, upTo: number): Promise<CommittedEvent[]> {
  const all: CommittedEvent[] = [];
  for (let after = from; ; after = all.at(-1)?.seq ?? after) {
    const page = await pages.above(task, after, upTo);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

describe("pages for followers that lag (EN10)", () => {
  test("are read once for all readers at the same event, wherever they began", async () => {
    const { events, asked, pages } = store(100);
    const starts = [0, 0, 5, 31, 32];
    const read = await Promise.all(starts.map((from) => readAll(pages, "t", from, 100)));
    for (const [i, from] of starts.entries()) expect(read[i]).toEqual(events.slice(from));
    expect(read[0]?.[60]).toBe(read[3]?.[60 - 31]);
    // Where each began, then the same three for all. Nothing is remembered of the end.
    const full = asked.filter((page) => page !== "t 100");
    expect(full.toSorted()).toEqual(["t 0", "t 31", "t 32", "t 5", "t 64", "t 96"]);
  });

  test("end where their reader's knowledge ends (EN1), whoever read them first", async () => {
    const { pages } = store(40);
    await pages.above("t", 0, 40);
    expect((await pages.above("t", 0, 7)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("are asked for again after a failure, and where there was nothing yet", async () => {
    const { asked, pages } = store(0);
    for (const task of ["broken", "broken", "empty", "empty"]) await pages.above(task, 0, 1).catch(() => {});
    expect(asked).toEqual(["broken 0", "broken 0", "empty 0", "empty 0"]);
  });
});
