/** What a summary holds of a conversation (K15). */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/values/text.ts";
import type { SessionTurn } from "../session/index.ts";
import { SUMMARY_BYTES, type SummarySource, summaryOf } from "./session-summary.ts";
import { SummaryFolder, summaryFileName } from "./summary-folder.ts";

const root = mkdtempSync(join(tmpdir(), "agent-service-summaries-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const turn = (task: string, asked: string, answer: string): SessionTurn => ({
  ...{ task, origin: "chat", state: "completed", createdAt: 1_000, updatedAt: 2_000 },
  messages: [{ from: "user", text: asked, files: [], at: 1_000 }],
  ...{ answer, artifacts: [], note: undefined, failureCode: undefined, toolCalls: [], thoughts: [], recalled: [] },
  ...{ model: undefined, usage: undefined, contextTokens: undefined, costUsd: undefined, durationMs: undefined },
  ...{ truncated: false, cut: false },
});

const source = (turns: SummarySource["turns"]): SummarySource => ({
  ...{ session: "s", surface: "chat", topic: "hello", trace: null, outside: false, turns },
  redact: (text) => text.replaceAll("hunter2", "[redacted]"),
});

describe("a summary", () => {
  it("has the newest messages and calls, oldest first, without secrets", () => {
    const calls = Array.from({ length: 30 }, (_, i) => ({
      ...{ id: String(i), name: `tool_${i}`, args: undefined, title: undefined, outcome: "ok" as const, ms: 1 },
    }));
    const newest = { ...turn("2", "And the key?", "It is hunter2."), toolCalls: calls };
    const summary = summaryOf(source([newest, turn("1", "hello", "hi")]));
    expect(summary).toMatchObject({
      message_count: 4,
      final: "It is [redacted].",
      timestamp: "1970-01-01T00:00:02.000Z",
    });
    expect(summary?.messages.map(({ text }) => text)).toEqual(["hello", "hi", "And the key?", "It is [redacted]."]);
    expect(summary?.tools.map(({ name }) => name)).toEqual(calls.slice(-20).map(({ name }) => name));
    expect(summaryOf(source([turn("1", "", " ")]))).toBeUndefined();
  });

  it("fits its file, whatever was said", () => {
    const said = fc.string({ unit: codePoint, maxLength: 9_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(said, said), { maxLength: 20 }), (turns) => {
        const summary = summaryOf(source(turns.map(([asked, answer], i) => turn(String(i), asked, answer))));
        expect(Buffer.byteLength(JSON.stringify(summary ?? {}))).toBeLessThanOrEqual(SUMMARY_BYTES);
      }),
      { numRuns: 30 },
    );
  });
});

describe("the file of a summary", () => {
  it("has a name that stays in its folder, another one for each conversation", () => {
    const hash = "a".repeat(40);
    const ids = ["plain", "a.b-c_1", "../up", "a/b", "", ".", "..", "con.", "ä", "x".repeat(200), `h-${hash}`];
    const names = ids.map(summaryFileName);
    expect(new Set(names).size).toBe(ids.length);
    expect(names.filter((name) => !/^[A-Za-z0-9_][A-Za-z0-9._-]*\.json$/.test(name))).toEqual([]);
    expect(names.slice(0, 2)).toEqual(["plain.json", "a.b-c_1.json"]);
    expect(names.at(-1)).not.toBe(`h-${hash}.json`);
  });

  it("is replaced whole, is its owner's alone, and says when it is damaged", async () => {
    const path = join(root, "summaries");
    const folder = new SummaryFolder(
      () => path,
      (missing) => mkdirSync(missing, { recursive: true }),
    );
    const summary = summaryOf(source([turn("1", "hello", "hi")]));
    if (summary === undefined) throw new Error("nothing was said");
    expect(await folder.read("s")).toBeUndefined();
    const bytes = await folder.write(summary);
    expect(await folder.write(summary)).toBe(bytes);
    expect(readdirSync(path)).toEqual(["s.json"]);
    expect([statSync(join(path, "s.json")).mode & 0o777, await folder.size("s")]).toEqual([0o600, bytes]);
    expect(await folder.read("s")).toEqual(summary);
    for (const damaged of ["", "{}", JSON.stringify({ ...summary, session_id: "t" }), "[".repeat(300_000)]) {
      writeFileSync(join(path, "s.json"), damaged);
      await expect(folder.read("s")).rejects.toMatchObject({ code: "damaged" });
    }
    await folder.remove("s");
    await folder.remove("s");
    expect(readdirSync(path)).toEqual([]);
  });
});
