import { expect, test } from "vitest";
import { beyondBounds, createDraftFiles, MAX_DRAFTS, MAX_SIZE } from "./draft-files.ts";

const kept = (index: number, size: number) => ({ draft: `d${index}`, at: 1_000 - index, size });

test("of too many drafts the oldest lose their files", () => {
  const all = Array.from({ length: MAX_DRAFTS + 2 }, (_, index) => kept(index, 10));
  expect(beyondBounds(all.slice(0, MAX_DRAFTS))).toEqual([]);
  expect(beyondBounds(all)).toEqual([`d${MAX_DRAFTS}`, `d${MAX_DRAFTS + 1}`]);
});

test("files beyond the bytes go, the oldest first, and the newest stay whatever their size", () => {
  expect(beyondBounds([kept(0, MAX_SIZE - 10), kept(1, 10), kept(2, 1)])).toEqual(["d2"]);
  expect(beyondBounds([kept(0, MAX_SIZE + 1), kept(1, 1)])).toEqual(["d1"]);
});

test("where the browser has no database, nothing is kept and nothing fails", async () => {
  const files = createDraftFiles(
    () => {
      throw new Error("refused");
    },
    () => 0,
  );
  files.write("a", [{ name: "a", mediaType: "text/plain", raw: "YQ==" }]);
  expect(await files.read("a")).toBeUndefined();
});

test("a database that cannot be opened is tried once more, at every read", async () => {
  let tries = 0;
  const files = createDraftFiles(
    () => {
      tries += 1;
      throw new Error("busy");
    },
    () => 0,
  );
  await files.read("a");
  await files.read("a");
  expect(tries).toBe(4);
});
