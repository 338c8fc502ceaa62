import type { OperatorClient } from "@agent-service/operator-api/client";
import { expect, test } from "vitest";
import { readJournal } from "./read-journal.ts";

/** A client of a journal with this many pages, and the cursors it was asked for. */
function journalOf(pages: number) {
  const cursors: (string | undefined)[] = [];
  const get = async (_path: string, { query }: { readonly query: { readonly cursor?: string } }) => {
    cursors.push(query.cursor);
    const page = cursors.length;
    return { task: { task_id: "t" }, events: [{ seq: page }], next_cursor: page < pages ? `after-${page}` : null };
  };
  return { cursors, operator: { get } as unknown as Pick<OperatorClient, "get"> };
}

test("a journal is read to its end, each page behind the one before it", async () => {
  const { cursors, operator } = journalOf(3);
  const source = await readJournal(operator, "t", new AbortController().signal);
  expect(source.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect([cursors, source.more]).toEqual([[undefined, "after-1", "after-2"], false]);
});

test("of a long journal five pages are read, and the result shows that there is more", async () => {
  const { cursors, operator } = journalOf(9);
  const source = await readJournal(operator, "t", new AbortController().signal);
  expect([cursors.length, source.events.length, source.more]).toEqual([5, 5, true]);
});
