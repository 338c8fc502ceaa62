import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { configuredEffect, type ServerTool, toolFilter, toolNames } from "./index.ts";

const sha8 = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);
const named = (...tools: [server: string, tool: string][]) =>
  toolNames(tools.map(([server, tool]) => ({ server, tool })));

test("a tool is named after its server, in characters that every model takes", () => {
  expect(named(["files", "read_file"], ["web", "get page/v2"], ["web", "größe"])).toEqual([
    ...["files__read_file", "web__get_page_v2", "web__gr__e"],
  ]);
});

test("a long name keeps 55 characters and ends in a hash of the full one", () => {
  const tool = "t".repeat(60);
  expect(named(["files", tool])).toEqual([`${`files__${tool}`.slice(0, 55)}_${sha8(`files__${tool}`)}`]);
  expect(named(["files", "t".repeat(57)])[0]).toHaveLength(64);
});

test("names that come to one both get the hash, and a third keeps its own", () => {
  expect(named(["a", "x y"], ["a", "x.y"], ["a", "z"])).toEqual([
    ...[`a__x_y_${sha8("a__x y")}`, `a__x_y_${sha8("a__x.y")}`, "a__z"],
  ]);
});

test("servers whose tools have one full name, and a tool named like another's hash, are told apart", () => {
  const hash = `x_y_${sha8("a__x y")}`;
  for (const names of [named(["a_", "b"], ["a", "_b"]), named(["a", "x y"], ["a", "x.y"], ["a", hash])])
    expect(new Set(names).size).toBe(names.length);
});

test("property: names are distinct, fit every model, and none depends on the order", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "_", "-", ".", " ", "é", "🙂"), minLength: 1, maxLength: 5 });
  const tool = fc.oneof(
    letters,
    letters.map((text) => "long".repeat(16) + text),
  );
  const tools = fc.uniqueArray(fc.record({ server: fc.constantFrom("a", "a_", "b-c"), tool }), {
    selector: ({ server, tool: name }: ServerTool) => `${server} ${name}`,
    maxLength: 40,
  });
  fc.assert(
    fc.property(tools, (list) => {
      const names = toolNames(list);
      expect(new Set(names).size).toBe(list.length);
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(toolNames(list.toReversed()).toReversed()).toEqual(names);
    }),
    { numRuns: 200 },
  );
});

test("include is an allowlist that beats exclude, and the denylist beats both", () => {
  const offered = (selection: Partial<Parameters<typeof toolFilter>[0]>) => {
    const fits = toolFilter({ include: [], exclude: [], denylist: [], ...selection });
    return ["get", "get_all", "put"].filter((tool) => fits(tool, `s__${tool}`));
  };
  expect(offered({})).toEqual(["get", "get_all", "put"]);
  expect(offered({ include: ["get*"] })).toEqual(["get", "get_all"]);
  expect(offered({ exclude: ["put"] })).toEqual(["get", "get_all"]);
  expect(offered({ include: ["put"], exclude: ["*"] })).toEqual(["put"]);
  expect(offered({ include: ["put", "get"], denylist: ["s__p*"] })).toEqual(["get"]);
});

test("effects name a tool, or fit it by a pattern; the exact name counts", () => {
  const effect = configuredEffect({ "get*": "pure", get_once: "effect", "*": "idempotent" });
  expect(["get_all", "get_once", "put", "toString"].map(effect)).toEqual([
    ...["pure", "effect", "idempotent", "idempotent"],
  ]);
  expect(configuredEffect({})("constructor")).toBeUndefined();
});
