import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DOCUMENT_LIMITS } from "../document/index.ts";
import { Fence, ProjectRegistry, ProtectedPlaces, projectAt } from "../fence/index.ts";
import { ingestTool } from "./ingest-tool.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "ingest-tool-")));
afterAll(() => rmSync(base, { recursive: true }));
beforeAll(() => {
  mkdirSync(join(base, "plants"));
  writeFileSync(join(base, "plants/ferns.md"), "Moist.");
  writeFileSync(join(base, "secret.md"), "secret");
  symlinkSync(join(base, "secret.md"), join(base, "plants/link.md"));
  writeFileSync(join(base, "plants/large.txt"), "");
  truncateSync(join(base, "plants/large.txt"), DOCUMENT_LIMITS.bytes + 1);
});

async function ingest(args: object, { confirms = false, incognito = false } = {}) {
  const handed: object[] = [];
  const fence = new Fence({
    projects: () => new ProjectRegistry([projectAt({ name: "plants", path: join(base, "plants") })]),
    places: () => new ProtectedPlaces([]),
  });
  const source = { id: 7, domain: "general" } as never;
  const tool = ingestTool({
    ...{ fence, confirmsAlwaysOn: () => confirms },
    sources: {
      fetch: async (url) => ({ bytes: new TextEncoder().encode("fetched"), uri: url }),
      async hand({ bytes, ...rest }) {
        handed.push({ ...rest, text: new TextDecoder().decode(bytes) });
        return source;
      },
      ready: async () => ({ source, chunks: [1, 2] }),
    },
  });
  const said = await tool.run(v.parse(tool.input, args), fakeContext({ caller: { incognito }, contextId: "talk" }));
  return { said, handed };
}

it("reads a file of a project, and an address, for the conversation that asks (K23)", async () => {
  expect(await ingest({ source: "ferns.md", title: "Ferns" })).toMatchObject({
    said: "Read source 7: 2 memories in 'general'.",
    handed: [{ text: "Moist.", name: "ferns.md", uri: "plants/ferns.md", title: "Ferns", session: "talk" }],
  });
  expect((await ingest({ source: "https://example.org/a" })).handed).toMatchObject([{ text: "fetched" }]);
});

it.each([
  ["../secret.md", "fence.outside"],
  ["link.md", "fence.outside"],
  ["nothing.md", "fence.missing"],
  ["large.txt", "document.too-large"],
])("reads nothing else: %s", async (source, code) => {
  await expect(ingest({ source })).rejects.toMatchObject({ code });
});

it("reads nothing in incognito turns, nor into always-on memory where the operator is to be asked (K4, K9)", async () => {
  expect(await ingest({ source: "ferns.md" }, { incognito: true })).toMatchObject({ handed: [] });
  const hot = { source: "nothing.md", domain: " Hot" };
  expect((await ingest(hot, { confirms: true })).said).toContain("always-on memory needs the operator");
  const held = await ingest({ ...hot, source: "ferns.md" });
  expect(held).toMatchObject({ handed: [{ held: "it comes from outside" }] });
});
