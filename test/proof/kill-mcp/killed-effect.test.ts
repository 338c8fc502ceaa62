import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { promptOf } from "../ledger.ts";
import { startLife } from "../service-life.ts";
import type { WireTask } from "../wire.ts";
import { readEffects } from "./effects.ts";
import { untilShown } from "./mcp-settings.ts";
import { prepareMcpTrial, requestTask } from "./mcp-trial.ts";

const root = mkdtempSync(path.join(tmpdir(), "proof-effect-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A call whose service is killed when its server is done with it and has not answered; then what a person decides. */
async function killAfterEffect(tool: string, decision: "approve" | "decline") {
  const trial = await prepareMcpTrial(root, tool);
  const { folder, servers, effects } = trial;
  const first = startLife(folder, undefined, `${root}/compiled`);
  const ring = (): Promise<unknown> => {
    first.kill();
    return first.gone;
  };
  servers.alarm({ nth: 1, side: "after", ring });
  let begun: WireTask;
  try {
    const url = (await first.ready) ?? "";
    await untilShown(url);
    const text = `/call ${tool} {"token":"mcp-a"}\n/then\n/say it is over`;
    const message = { role: "user", parts: [{ kind: "text", text }] };
    begun = await requestTask(url, "message/send", { message, configuration: { blocking: false } });
  } catch (error) {
    first.kill();
    throw error;
  }
  expect((await first.gone).killed).toBe(true);
  expect(readEffects(effects)).toEqual([{ tool, token: "mcp-a" }]);

  const second = startLife(folder, undefined, `${root}/compiled`);
  servers.alarm(undefined);
  servers.beginLife();
  try {
    const url = (await second.ready) ?? "";
    const current = (): Promise<WireTask> => requestTask(url, "tasks/get", { id: begun.id });
    await expect.poll(async () => (await current()).status.state).toBe("input-required");
    expect(readEffects(effects)).toHaveLength(1);
    const asked = promptOf(await current());
    expect(asked?.kind).toBe("approval");
    const parts = [{ kind: "data", data: { promptId: asked?.promptId, answer: decision } }];
    const message = { role: "user", taskId: begun.id, contextId: begun.contextId, parts };
    expect((await requestTask(url, "message/send", { message })).status.state).toBe("completed");
  } finally {
    second.stop();
    await second.gone;
    await servers.close();
  }
  return trial;
}

test("an effect over HTTP after which the service is killed is not repeated, and the check would see it (M6)", async () => {
  const { effects, violations } = await killAfterEffect("remote__post", "decline");
  const [once, ...more] = readEffects(effects);
  expect([more, violations()]).toEqual([[], []]);
  appendFileSync(effects, `${JSON.stringify(once)}\n`);
  expect(violations()).toEqual(["M6: remote__post did mcp-a 2 times; 1 were allowed"]);
});

test("an effect of a program after which the service is killed is repeated where a person approves it, once (M6)", async () => {
  const { effects, violations } = await killAfterEffect("counted__post", "approve");
  const [once, ...more] = readEffects(effects);
  expect([more, violations()]).toEqual([[once], []]);
  appendFileSync(effects, `${JSON.stringify(once)}\n`);
  expect(violations()).toEqual(["M6: counted__post did mcp-a 3 times; 2 were allowed"]);
});
