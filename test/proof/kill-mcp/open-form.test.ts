import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { promptOf } from "../ledger.ts";
import { startLife } from "../service-life.ts";
import type { WireTask } from "../wire.ts";
import { readEffects } from "./effects.ts";
import { untilShown } from "./mcp-settings.ts";
import { prepareMcpTrial, requestTask } from "./mcp-trial.ts";

const root = mkdtempSync(path.join(tmpdir(), "proof-form-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a form that a server of 2026 asked for is answered after a kill, and what it asked for is done once (M7)", async () => {
  const { folder, servers, effects, violations } = await prepareMcpTrial(root, "form");
  const sent = (url: string, message: object): Promise<WireTask> =>
    requestTask(url, "message/send", { message: { role: "user", ...message } });

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
  expect([servers.forms, violations()]).toEqual([{ answered: 1, afterKill: 1, held: 0 }, []]);
});
