import { expect, test } from "vitest";
import { runHostileServers } from "./mcp/run-hostile-servers.ts";
import { VICES } from "./mcp/vices.ts";

/** Its silent server is silent at `tools/list`: one that answers no probe may still answer the handshake of 2025 in time. No
 * other of its servers leaves a request without any answer, which would wait for all of the patience. */
const SEED = "seed 7";

test("hostile MCP servers end their own connections only, and leave no process and no row (PR1, PR5)", async () => {
  const servers = VICES.length;
  const { violations, outcomes } = await runHostileServers({ seed: SEED, servers, atOnce: 4, patienceSeconds: 60 });
  expect(violations).toEqual([]);
  expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(servers);
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(["backoff", "ready, 1 tools, answered"]));
  expect(outcomes.size).toBeGreaterThan(2);
});
