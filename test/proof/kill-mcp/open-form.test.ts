import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { promptOf } from "../ledger.ts";
import { startLife, type TrialFolder } from "../service-life.ts";
import { call, type WireTask } from "../wire.ts";
import { readEffects } from "./effects.ts";
import { mcpSettings, untilShown } from "./mcp-settings.ts";
import { startRemoteServers } from "./remote-servers.ts";

const root = mkdtempSync(path.join(tmpdir(), "proof-form-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function sent(url: string, message: object): Promise<WireTask> {
  const params = { message: { role: "user", ...message } };
  const reply = await call(url, { method: "message/send", params });
  if (reply.kind === "error") throw new Error(reply.message);
  return reply.task;
}

test("a form that a server of 2026 asked for is answered after a kill, and what it asked for is done once (M7)", async () => {
  const effects = `${root}/effects`;
  const servers = await startRemoteServers(effects);
  const folder: TrialFolder = {
    ...{ home: `${root}/home`, config: `${root}/config`, deeds: `${root}/deeds`, epoch: Date.now() },
  };
  for (const own of [folder.home, folder.config]) mkdirSync(own);
  const store = `checkpoint: { db_path: "${root}/agent.db", on_restart: resume }\n`;
  writeFileSync(`${folder.config}/agent-config.yaml`, store + mcpSettings(effects, servers.url));

  const first = startLife(folder, undefined, `${root}/compiled`);
  let asking: WireTask;
  try {
    const before = (await first.ready) ?? "";
    await untilShown(before);
    const text = '/call remote__letter {"token":"mcp-a"}\n/then\n/say it is over';
    asking = await sent(before, { parts: [{ kind: "text", text }] });
  } finally {
    first.kill();
  }
  const asked = promptOf(asking);
  expect([asking.status.state, asked?.kind]).toEqual(["input-required", "form"]);
  expect((await first.gone).killed).toBe(true);
  expect(readEffects(effects)).toEqual([]);

  const second = startLife(folder, undefined, `${root}/compiled`);
  servers.beginLife();
  try {
    const url = (await second.ready) ?? "";
    const parts = [{ kind: "data", data: { promptId: asked?.promptId, answer: { word: "yes" } } }];
    const answered = await sent(url, { taskId: asking.id, contextId: asking.contextId, parts });
    expect([answered.id, answered.status.state]).toEqual([asking.id, "completed"]);
  } finally {
    second.stop();
    await second.gone;
    await servers.close();
  }
  expect(readEffects(effects)).toEqual([{ tool: "remote__letter", token: "mcp-a" }]);
  expect([servers.forms, servers.complaints]).toEqual([{ answered: 1, afterKill: 1 }, []]);
});
