/** Queries as nobody would ask them: no syntax of the index reaches it, and none of them fails (K10, K21). */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { KnowledgeStore } from "./knowledge-store.ts";
import { Recall } from "./recall.ts";
import { namesQuery } from "./search-words.ts";

let db: Database;
let store: KnowledgeStore;
const clock = manualClock();
beforeAll(async () => {
  db = await openDatabase({ url: ":memory:", schema: "knowledge", owner: { name: "test" } });
  const lazy = { get: async () => db, close: () => db.close() };
  store = new KnowledgeStore({ store: lazy, clock, bus: { publish: () => {} }, redact: (text) => text });
  for (const [at, content] of ["Water the ferns.", "Error ERR_42-b on 2026-03-14.", "庭の水やりは月曜日"].entries())
    await store.remember(
      {
        ...{ content, domain: "general", kind: "note", subject: "", heading: "", policy: "retrieved", session: "" },
        ...{ expiresAt: undefined, trust: "operator", held: undefined, task: "" },
      },
      `call-${at}`,
    );
});
afterAll(() => store.close());

const failures: unknown[] = [];
async function ask(text: string): Promise<void> {
  for (const query of [undefined, namesQuery]) await store.search(text, {}, 5, query);
  const settings = { enabled: true, topK: 5, budgetPct: 8, timeoutMs: 60_000 };
  const recall = new Recall({
    ...{ store: { get: async () => db }, exists: () => true, clock, settings: () => settings },
    onFailure: (error) => failures.push(error),
  });
  await recall.recall({ text, inSight: new Set(), windowTokens: 80_000 });
}

const PIECES = [
  ...[
    '"',
    '""',
    "'",
    "(",
    ")",
    "*",
    "^",
    "{",
    "}",
    ":",
    "+",
    "-",
    "NEAR(a b, 2)",
    " AND ",
    " OR ",
    " NOT ",
    "title:",
    "-title : x",
  ],
  ...["\0", "a\0b", "\ud800", "\udfff", "x\ud800y", "\ufffd", "\u202e", "\ufeff", "\u0301", "e\u0301", "ﬁ", "İ", "ß"],
  ...[
    "ERR_42-b",
    "2026-03-14",
    "2026-99-99",
    "March 99th, 2026",
    "#17",
    "#",
    "%",
    "_",
    "\\",
    "月曜日",
    "ก็",
    "😀",
    "👩‍👩‍👧",
    "\r\n",
    "\t",
  ],
  ...[
    "a".repeat(5_000),
    "a-".repeat(500),
    "1.".repeat(500),
    "?!.".repeat(300),
    "w ".repeat(2_000),
    "; DROP TABLE chunk; --",
  ],
];

it.each(["ferns", `"ferns`, "FERNS*", "title:ferns", "NOT ferns", "ferns\0"])(
  "finds what %j names, literally",
  async (query) => expect((await store.search(query, {}, 5)).map(({ id }) => id)).toContain(1),
);

it("fails for none of 40 queries of syntax, control characters, halves of characters and long words", async () => {
  const query = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: codePoint, maxLength: 20 })), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(query, async (pieces) => ask(pieces.join(""))),
    { numRuns: 40 },
  );
  expect(failures).toEqual([]);
});
