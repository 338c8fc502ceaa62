/** The MCP SDK takes megabytes: a service loads it where a server is configured, or `/mcp` is asked, and not before. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startMcpServer } from "../../testing/mcp-server.ts";

const run = promisify(execFile);
const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** In a process of its own: in this one, other tests may have loaded the SDK before. */
const program = (server: string): string => `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({
    load(url, context, next) {
      const [, name] = /@modelcontextprotocol\\/(client|server)\\//.exec(url) ?? [];
      if (name !== undefined && !loaded.includes(name)) loaded.push(name);
      return next(url, context);
    },
  });
  const { manualClock } = await import("@agent-service/agent-core/testing");
  const { startTestService } = await import(${at("../../testing/test-service.ts")});
  const seen = [];
  const note = () => seen.push([...loaded]);
  const entry = 'servers: [{name: s, url: "${server}"}]';
  for (const config of ["", "mcp: {enabled: false, " + entry + "}\\n", "mcp: {enabled: true, servers: []}\\n"]) {
    const clock = manualClock(1_000);
    await using service = await startTestService({ config, clock });
    await service.wire.say("hello");
    for (const path of ["/api/mcp/servers", "/api/runtime/status", "/mcp"]) await fetch(service.url + path);
    // Servers are connected once the first requests had their time.
    await clock.advance(1_000);
    note();
  }
  {
    await using service = await startTestService({
      config: "mcp: {enabled: true, expose: {enabled: true}, " + entry + "}\\n",
    });
    await service.wire.say("/call s__look {}");
    while (loaded.length === 0) await new Promise(setImmediate);
    note();
    await fetch(service.url + "/mcp", { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
    note();
  }
  console.log(JSON.stringify(seen));
  process.exit();`;

it("is loaded by the first server, and by the first request of `/mcp`, not by a start, a turn or a look at servers", async () => {
  await using server = await startMcpServer([{ name: "look" }]);
  const args = ["--conditions=@agent-service/source", "--input-type=module", "--eval", program(server.url)];
  const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname });
  const nothing = [[], [], []];
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual([...nothing, ["client"], ["client", "server"]]);
});
