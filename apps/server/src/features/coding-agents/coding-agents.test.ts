import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startTestService } from "../../testing/test-service.ts";
import { codingAgents } from "./coding-agents.ts";

const folder = mkdtempSync(join(tmpdir(), "path-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("finds the coding agents whose command can be run", async () => {
  const found = (path: string | undefined) => codingAgents(() => path).detected();
  expect(await found(undefined)).toEqual([]);
  for (const name of ["goose", "gemini"]) writeFileSync(join(folder, name), "");
  chmodSync(join(folder, "goose"), 0o755);
  chmodSync(join(folder, "gemini"), 0o644);
  expect(await found(["/nowhere", folder].join(delimiter))).toEqual([
    { id: "goose", label: "Goose", command: "goose", args: ["acp"] },
  ]);
});

it("lists them over the operator API", async () => {
  await using running = await startTestService();
  const response = await fetch(`${running.url}/api/acp-agents`);
  expect(await response.json()).toMatchObject({ agents: expect.any(Array) });
});
