/** An embedder of the engine loads the MCP SDK with its first server, not by importing the engine or opening the feature. */

import { registerHooks } from "node:module";
import * as v from "valibot";
import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, STANDARD, textInput } from "../core-bench.ts";
import { delegation, subagentsSection } from "../delegation/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { mcpSection, mcpServers } from "./index.ts";

/** Packages of the SDK in the order of their first load. */
const loaded: string[] = [];
const hooks = registerHooks({
  load(url, context, next) {
    const [, name] = /@modelcontextprotocol\/(client)\//.exec(url) ?? [];
    if (name !== undefined && !loaded.includes(name)) loaded.push(name);
    return next(url, context);
  },
});
afterAll(() => hooks.deregister());

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

async function turn(section: object): Promise<void> {
  const values: Record<string, unknown> = {
    ...{ mcp: v.parse(mcpSection.schema, section), subagents: v.parse(subagentsSection.schema, {}) },
    ...{ egress: { allowed_hosts: [] }, routing: { aux_model: "" }, projects: [] },
  };
  const mcp = mcpServers({
    ...{ environment: { PATH: process.env.PATH }, isForbidden: () => false, version: "1" },
    ...{ saveGrant: async () => {}, clientDocument: () => undefined },
  });
  const { service } = await bench.start({
    ...{ model: scriptedModel(() => "hello"), clock: manualClock(), features: [mcp, delegation, ...STANDARD] },
    settings: ({ name }) => values[name] as never,
  });
  const options = { class: "operator", origin: "chat", context: "c", input: textInput("go") } as const;
  await (await service.start(options)).ended();
}

test("off, and without servers, nothing is loaded; with the first server it is", async () => {
  await import("../index.ts");
  await import("../host.ts");
  const server = { name: "s", command: process.execPath, args: ["-e", ""] };
  await turn({ enabled: false, servers: [server] });
  await turn({ enabled: true, servers: [] });
  await turn({ enabled: true, servers: [{ ...server, enabled: false }] });
  expect(loaded).toEqual([]);
  await turn({ enabled: true, servers: [server] });
  await expect.poll(() => loaded).toEqual(["client"]);
});
