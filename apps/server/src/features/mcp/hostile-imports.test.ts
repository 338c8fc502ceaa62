/** Files of others that mean harm, or are strange: each entry is added, or skipped with a reason, and the service goes on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({});
});
afterAll(() => running?.stop());

async function ask(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${running.url}/api/mcp/servers${path}`, {
    ...{ method, headers: { "content-type": "application/json" } },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}
const take = (servers: object) => ask("POST", "/import", { raw: JSON.stringify({ mcpServers: servers }) });
const program = { command: "/bin/nothing-here", enabled: false };

it("gives names of the language's own objects, and of this API, to no server", async () => {
  const { status, body } = await take({
    constructor: program,
    prototype: program,
    hasOwnProperty: program,
    test: program,
  });
  expect([status, body.added]).toEqual([200, ["constructor-1", "prototype-1", "hasownproperty", "test-1"]]);
  const named = await ask("POST", "", { name: "constructor", ...program });
  expect(named).toMatchObject({ status: 422, body: { detail: [{ msg: expect.stringContaining("constructor") }] } });
});

it("skips an entry whose variables or headers have names that no file may hold, and adds the others", async () => {
  const { status, body } = await take({
    a1: { ...program, env: { constructor: "one" } },
    a2: { url: "http://127.0.0.1:1/mcp", headers: { prototype: "two" } },
    a3: { ...program, env: { TOKEN: "three" } },
  });
  expect([status, body.added, body.skipped]).toEqual([
    ...[200, ["a3"]],
    ["env", "headers"].map((key, index) => ({ name: `a${index + 1}`, reason: expect.stringContaining(key) })),
  ]);
});

it("keeps values of placeholders that are named like the language's own objects", async () => {
  const { body } = await take({ odd: { ...program, args: ["${constructor}", "${env:prototype}"] } });
  expect(body.inputs.map(({ key }: Json) => key)).toEqual(["CONSTRUCTOR", "PROTOTYPE"]);
  const secrets = { CONSTRUCTOR: "f1rst-value", PROTOTYPE: "sec0nd-value" };
  expect((await ask("PATCH", "/odd", { secrets })).status).toBe(200);
  const overlay = readFileSync(join(running.folders.config, "secrets.yaml"), "utf8");
  expect([overlay.includes("f1rst-value"), overlay.includes("sec0nd-value")]).toEqual([true, true]);
});

it("tells servers apart whose names differ by case, by underscores or by letters that are left out", async () => {
  const names = ["Git-Hub", "git-hub", "git_hub", "git__hub", "", "日本"];
  const { body } = await take(Object.fromEntries(names.map((name) => [name, program])));
  expect(body.added).toEqual(["git-hub", "git-hub-2", "git_hub", "git_hub-2", "server", "server-2"]);
});

it("refuses a key __proto__ wherever it stands, and changes nothing", async () => {
  const before = await ask("GET", "");
  const raw = '{"mcpServers": {"fine": {"command": "a"}, "b": {"command": "a", "env": {"__proto__": {"X": "1"}}}}}';
  expect((await ask("POST", "/import", { raw })).status).toBe(422);
  expect((await ask("GET", "")).body.servers.length).toBe(before.body.servers.length);
});
