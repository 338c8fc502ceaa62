import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { indexedText, matchQuery } from "./search-words.ts";

let db: Database;
beforeAll(async () => {
  db = await openDatabase({ url: ":memory:", schema: "knowledge", owner: { name: "test" } });
});
afterAll(() => db.close());

let texts = 0;

/** Whether the index finds a text by a search. */
async function finds(text: string, search: string): Promise<boolean> {
  texts += 1;
  const sql = "INSERT INTO chunk_text (rowid, title, text) VALUES (?, '', ?)";
  await db.commit({ label: "test", statements: [{ sql, args: [texts, indexedText(text) ?? text] }] });
  const query = matchQuery(search);
  if (query === undefined) return false;
  const match = "SELECT rowid FROM chunk_text WHERE chunk_text MATCH ? AND rowid = ?";
  return (await db.read({ sql: match, args: [query, texts] })).length === 1;
}

describe("the words of a search", () => {
  it("are any text's: no quote, operator, NUL or half a surrogate pair is an error of the index", async () => {
    const hostile = fc.constantFrom(
      '"',
      "'",
      "*",
      "^",
      ":",
      "(",
      ")",
      "-",
      "NEAR(",
      " AND ",
      " OR ",
      " NOT ",
      "title:",
      "\0",
    );
    const pieces = fc.oneof(
      hostile,
      fc.string({ unit: "binary" }),
      fc.constantFrom("\ud800", "\udc00", "\u0301", "茶", "ก"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (some) => {
        const query = matchQuery(some.join(""));
        if (query === undefined) return;
        expect(query.isWellFormed()).toBe(true);
        const sql = "SELECT count(*) FROM chunk_text WHERE chunk_text MATCH ?";
        expect(await db.read({ sql, args: [query] })).toHaveLength(1);
      }),
      { numRuns: 150 },
    );
  });

  it("find a text by any part of its Chinese or Japanese", async () => {
    const letter = fc.constantFrom(..."我喜欢喝绿茶コーヒーはブラックが好き東京駅");
    const text = fc.array(letter, { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(), fc.nat(), async (letters, from, length) => {
        const start = from % letters.length;
        const part = letters.slice(start, start + 1 + (length % (letters.length - start))).join("");
        expect(await finds(`He said ${letters.join("")}, twice`, part)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("find words in any case, inflection and width, and identifiers by their parts", async () => {
    for (const [text, search] of [
      ["The user prefers short answers", "PREFER"],
      ["Café Müller opens at nine", "cafe muller"],
      ["ＡＢＣ department", "abc"],
      ["fails with ERR_CONN_42 at start", "ERR_CONN_42"],
      ["ผมชอบกาแฟดำ", "กาแฟ"],
      ["the who", "who"],
    ] as const)
      expect([text, await finds(text, search)]).toEqual([text, true]);
    expect(await finds("The user prefers tea", "Which is the one of coffee?")).toBe(false);
    expect(await finds("绿茶", "咖啡")).toBe(false);
  });

  it("are 32 at most, and none where there is none", () => {
    expect(matchQuery(" -- \0 \ud800 ♥ \u0301 ")).toBeUndefined();
    expect(matchQuery(Array.from({ length: 900 }, (_, i) => `w${i}`).join(" "))?.split(" OR ")).toHaveLength(32);
  });
});
