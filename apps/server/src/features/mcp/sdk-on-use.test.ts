/** The MCP SDK takes megabytes: a service loads it where a server is configured, or `/mcp` is asked, and not before. */
import { registerHooks } from "node:module";
import { manualClock } from "@agent-service/agent-core/testing";
import { afterAll, expect, it } from "vitest";
import { startMcpServer } from "../../testing/mcp-server.ts";
import { startTestService } from "../../testing/test-service.ts";

/** Packages of the SDK in the order of their first load. */
const loaded: string[] = [];
const hooks = registerHooks({
  load(url, context, next) {
    const [, name] = /@modelcontextprotocol\/(client|server)\//.exec(url) ?? [];
    if (name !== undefined && !loaded.includes(name)) loaded.push(name);
    return next(url, context);
  },
});
afterAll(() => hooks.deregister());

it("is loaded by the first server, and by the first request of `/mcp`, not by a start, a turn or a look at servers", async () => {
  await using server = await startMcpServer([{ name: "look" }]);
  const entry = `servers: [{name: s, url: "${server.url}"}]`;
  for (const config of ["", `mcp: {enabled: false, ${entry}}\n`, "mcp: {enabled: true, servers: []}\n"]) {
    const clock = manualClock(1_000);
    await using service = await startTestService({ config, clock });
    await service.wire.say("hello");
    for (const path of ["/api/mcp/servers", "/api/runtime/status", "/mcp"]) await fetch(service.url + path);
    // Servers are connected once the first requests had their time.
    await clock.advance(1_000);
    expect([config, loaded]).toEqual([config, []]);
  }
  await using service = await startTestService({ config: `mcp: {enabled: true, expose: {enabled: true}, ${entry}}\n` });
  await service.wire.say("/call s__look {}");
  await expect.poll(() => loaded).toEqual(["client"]);
  await fetch(`${service.url}/mcp`, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  expect(loaded).toEqual(["client", "server"]);
});
