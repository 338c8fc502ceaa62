/** Tools with names and schemas that are strange or wrong: each is taken, or left out with a reason, and takes nothing from the others. */
import { expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startMcpServer } from "../../testing/mcp-server.ts";
import { startTestService } from "../../testing/test-service.ts";

const NAMES = ["__proto__", "constructor", "hasOwnProperty", "Echo", "echo", "e_cho", "e-cho", "e cho", "e.cho"];

it("keeps apart what differs by case or by characters that names do not have, and calls each by its own name", async () => {
  await using server = await startMcpServer(NAMES.map((name) => ({ name })));
  server.answer = (_, name) => `this is ${name}`;
  await using service = await startTestService({
    config: `mcp: {enabled: true, servers: [{name: odd, url: "${server.url}"}]}\n`,
  });
  const page = async () => (await (await fetch(`${service.url}/api/mcp/servers/odd`)).json()) as Json;
  await expect.poll(async () => (await page()).state).toBe("ready");
  const { tools } = await page();
  expect(tools.map(({ name }: Json) => name)).toEqual([...NAMES].sort());
  expect(new Set(tools.map(({ full_name: fullName }: Json) => fullName)).size).toBe(NAMES.length);
  for (const { name, full_name: fullName } of tools) {
    const called = await fetch(`${service.url}/api/tools/${fullName}/call`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: '{"args": {}}' },
    });
    expect((await called.json()) as Json).toMatchObject({ outcome: "ok", result: `this is ${name}` });
  }
});

it("leaves a tool with a wrong schema out with a warning, and keeps the others", async () => {
  await using server = await startMcpServer([
    { name: "good" },
    { name: "list", inputSchema: { type: "array" } },
    { name: "text", inputSchema: "none" as never },
    { name: 7 as never },
  ]);
  await using service = await startTestService({
    config: `mcp: {enabled: true, servers: [{name: odd, url: "${server.url}"}]}\n`,
  });
  const page = async () => (await (await fetch(`${service.url}/api/mcp/servers/odd`)).json()) as Json;
  await expect.poll(async () => (await page()).state).toBe("ready");
  const { tools, warnings } = await page();
  expect(tools.map(({ name }: Json) => name)).toEqual(["good"]);
  expect(warnings).toEqual([
    expect.stringContaining('"list" is left out: its schema is not one of an object'),
    expect.stringContaining('"text" is left out: its schema is no object'),
    expect.stringContaining("no name of at most"),
  ]);
});
