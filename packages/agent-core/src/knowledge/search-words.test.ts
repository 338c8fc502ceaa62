import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { indexedText, matchQuery, searchSentences } from "./search-words.ts";

let db: Database;
beforeAll(async () => {
  db = await openDatabase({ url: ":memory:", schema: "knowledge", owner: { name: "test" } });
});
afterAll(() => db.close());

let texts = 0;
const terms = (search: string) => searchSentences(search).map((words) => words.map(({ term }) => term));

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
      fc.string({ unit: codePoint }),
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

  it("keep an identifier together, and find it by a part of it too", async () => {
    expect(terms("Why did ERR_42-b come, on 10.20.3.4?").flat()).toEqual(
      expect.arrayContaining(['"err 42 b"', '"10 20 3 4"']),
    );
    expect(terms("Is well-known and/or the/a up.").flat()).toEqual(['"well"']);
    expect(await finds("fails with err-42-B", "ERR_42-b")).toBe(true);
    expect(await finds("fails with ERR 42", "ERR_42-b")).toBe(true);
  });

  it("find a day however it is written, and no other one", async () => {
    const forms = ["2026-03-02", "02.03.2026", "2 March 2026", "March 2nd, 2026", "2nd of March, 2026", "Mar 2 2026"];
    for (const text of forms)
      for (const search of forms) {
        if (/2nd of/.test(text)) continue;
        expect([text, search, await finds(`On ${text} it rained`, `weather of ${search}`)]).toEqual([
          text,
          search,
          true,
        ]);
      }
    expect(terms("weather of March 2nd")[0]?.[0]).toContain('"2 march"');
    for (const other of ["2026-03-12", "March 22, 2026", "2 March 2025", "2026-02-03"])
      expect([other, terms(other).flat()]).not.toEqual([other, terms("2026-03-02").flat()]);
    expect(terms("99.99.2026 and 2026-31-77").flat().join()).not.toContain("OR");
  });

  it("are those of its sentences, without what says nothing of what is meant", () => {
    expect(terms("Hey, I don't know. Could you tell me: who's our accountant?\n绿茶。Thanks!")).toEqual([
      ['"accountant"'],
      ['"绿茶"'],
    ]);
    expect(terms("What is it?")).toEqual([['"what"', '"is"', '"it"']]);
  });

  it("are names where they are an identifier, a day, or have a capital that no sentence begins with", () => {
    const names = searchSentences("Does Henrike know the OPS-4107 of 2026-03-02? The Drill lies here.")
      .flat()
      .filter(({ isName }) => isName);
    expect(names.map(({ term }) => term.slice(0, 12))).toEqual(['("2026 03 02', '"ops 4107"', '"henrike"', '"drill"']);
  });

  it("are 32 at most, and none where there is none", () => {
    expect(matchQuery(" -- \0 \ud800 ♥ \u0301 ")).toBeUndefined();
    expect(matchQuery(Array.from({ length: 900 }, (_, i) => `w${i}`).join(" "))?.split(" OR ")).toHaveLength(32);
  });
});
