/** Lines of earlier conversations (K16): what does not change is not made again for each turn. */
import { describe, expect, it } from "vitest";
import { Digest, type DigestOptions } from "./digest.ts";
import type { SummaryEntry } from "./summary-index.ts";

const entry = (session: string, no = 1): SummaryEntry => ({
  ...{ no, session, at: 0, surface: "chat", topic: `About ${session}.`, messages: 2, bytes: 10, outside: false },
});
const over = (entries: readonly SummaryEntry[], policy: "newest" | "relevant" = "newest") => {
  const asked: string[] = [];
  const index: DigestOptions["index"] = {
    list: async (limit) => {
      asked.push(`list ${limit}`);
      return entries;
    },
    search: async ({ text }) => {
      asked.push(`search ${text}`);
      return [];
    },
  };
  const settings = { policy, sessions: 2, tokens: 100 };
  const digest = new Digest({ index, exists: () => true, settings: () => settings });
  const read = (context = "new") => digest.read({ text: "hello", context });
  return { asked, settings, digest, read };
};

describe("lines of earlier conversations", () => {
  it("are read once, then given at once, the same ones, until a summary changes", async () => {
    const { asked, digest, read } = over([entry("a"), entry("b"), entry("c")]);
    const [first] = await Promise.all([read(), read()]);
    expect(first!.map(({ session }) => session)).toEqual(["a", "b"]);
    const second = read();
    expect(second).toEqual(first);
    expect(read()).toBe(second);
    expect(asked).toEqual(["list 3"]);
    digest.noteChange();
    expect(read()).toBeInstanceOf(Promise);
    expect(await read()).toEqual(first);
    expect(asked).toEqual(["list 3", "list 3"]);
  });

  it("leave out the conversation itself, and follow settings, where they are given at once too", async () => {
    const { settings, read } = over([entry("a"), entry("b"), entry("c")]);
    await read();
    expect(read("a")).toMatchObject([{ session: "b" }, { session: "c" }]);
    expect(read()).toMatchObject([{ session: "a" }, { session: "b" }]);
    settings.tokens = 15;
    expect(read()).toMatchObject([{ session: "a" }]);
    settings.sessions = 1;
    expect(read()).toBeInstanceOf(Promise);
  });

  it("that fit the message are looked for each time", async () => {
    const { asked, read } = over([], "relevant");
    await read();
    await read();
    expect(asked).toEqual(["search hello", "search hello"]);
  });
});
