/** An embedder of the engine loads the MCP SDK with its first server, not by importing the engine or opening the feature. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** In a process of its own: in this one, other tests may have loaded the SDK before. */
const PROGRAM = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({
    load(url, context, next) {
      const [, name] = /@modelcontextprotocol\\/(client)\\//.exec(url) ?? [];
      if (name !== undefined && !loaded.includes(name)) loaded.push(name);
      return next(url, context);
    },
  });
  await import(${at("../../index.ts")});
  await import(${at("../../host.ts")});
  const { coreBench, STANDARD, textInput } = await import(${at("../../core-bench.ts")});
  const { delegation, subagentsSection } = await import(${at("../../delegation/index.ts")});
  const { manualClock, scriptedModel } = await import(${at("../../testing/index.ts")});
  const { mcpSection, mcpServers } = await import(${at("../index.ts")});
  const v = await import("valibot");
  const bench = coreBench();
  async function turn(section) {
    const values = {
      ...{ mcp: v.parse(mcpSection.schema, section), subagents: v.parse(subagentsSection.schema, {}) },
      ...{ egress: { allowed_hosts: [] }, routing: { aux_model: "" }, projects: [] },
    };
    const mcp = mcpServers({
      ...{ environment: { PATH: process.env.PATH }, isForbidden: () => false, version: "1" },
      ...{ saveGrant: async () => {}, clientDocument: () => undefined },
    });
    const { service } = await bench.start({
      ...{ model: scriptedModel(() => "hello"), clock: manualClock(), features: [mcp, delegation, ...STANDARD] },
      settings: ({ name }) => values[name],
    });
    const options = { class: "operator", origin: "chat", context: "c", input: textInput("go") };
    await (await service.start(options)).ended();
  }
  const server = { name: "s", command: process.execPath, args: ["-e", ""] };
  await turn({ enabled: false, servers: [server] });
  await turn({ enabled: true, servers: [] });
  await turn({ enabled: true, servers: [{ ...server, enabled: false }] });
  const without = [...loaded];
  await turn({ enabled: true, servers: [server] });
  while (loaded.length === 0) await new Promise(setImmediate);
  console.log(JSON.stringify({ without, with: loaded }));
  bench.remove();
  process.exit();`;

test("off, and without servers, nothing is loaded; with the first server it is", async () => {
  const args = ["--conditions=@agent-service/source", "--input-type=module", "--eval", PROGRAM];
  const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toEqual({ without: [], with: ["client"] });
});
