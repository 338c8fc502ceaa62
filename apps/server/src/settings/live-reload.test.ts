/** What changes while the service runs (S8). */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@agent-service/agent-core/host";
import { type LocalGateway, localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolders, textOf } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { followChanges } from "./follow-changes.ts";
import { createLiveSettings } from "./index.ts";

const KEY = "sk-live-reload-0123456789";
const config = (base: string, more = "") => `
providers: [{ id: gw, base_url: "${base}", api_key: ${KEY} }]
model: { name: "gw:first" }
${more}`;

describe("a running service", () => {
  let gateway: LocalGateway;
  let running: TestService;
  beforeEach(async () => {
    gateway = await localGateway(textReply("ok"));
    running = await startTestService({ config: config(gateway.baseUrl) });
  });
  afterEach(async () => {
    await running.stop();
    await gateway.close();
  });

  it("calls the model that is configured now", async () => {
    expect(textOf(await running.wire.say("hello"))).toBe("ok");
    running.folders.configure(config(gateway.baseUrl).replace("gw:first", "gw:second"));
    expect(running.live.reload()).toMatchObject({ ok: true, changed: ["model.name"] });
    await running.wire.say("hello");
    expect(gateway.requests.map(({ body }) => (body as { model: string }).model)).toEqual(["first", "second"]);
  });

  it("lets a turn keep its model, and uses a new key at once", async () => {
    const rotate = {
      name: "rotate",
      description: "Changes the configuration.",
      input: v.object({}),
      run() {
        running.folders.configure(
          config(gateway.baseUrl).replace("gw:first", "gw:second").replace(KEY, "sk-new-9876543210"),
        );
        return String(running.live.reload().ok);
      },
    };
    await running.stop();
    running = await startTestService({ config: config(gateway.baseUrl), tools: [rotate] });
    gateway.answer((_, count) => (count === 1 ? toolReply({ name: "rotate", args: {} }) : textReply("ok")));
    expect(textOf(await running.wire.say("go"))).toBe("ok");
    const asked = gateway.requests.map(({ body, headers }) => [
      (body as { model: string }).model,
      headers.authorization,
    ]);
    expect(asked).toEqual([
      ["first", `Bearer ${KEY}`],
      ["first", "Bearer sk-new-9876543210"],
    ]);
  });

  it("accepts and refuses credentials by the current tokens", async () => {
    running.folders.configure(
      config(gateway.baseUrl, "auth: { token: operator-token-1, federation_token: peer-token-1 }"),
    );
    expect(running.live.reload()).toMatchObject({ ok: true });
    expect((await running.wire.answer("tasks/get", { id: "x" })).status).toBe(401);
    const peer = running.wireAs({ authorization: "Bearer peer-token-1" });
    expect((await peer.error("tasks/get", { id: "x" })).code).toBe(-32001);
  });

  it("refuses what is wrong with file, line and reason, and runs on", async () => {
    running.folders.configure(config(gateway.baseUrl, "egress:\n  allowed_hosts: 7\n"));
    const outcome = running.live.reload();
    expect(outcome.ok).toBe(false);
    expect(running.live.rejected?.reason).toMatch(/agent-config\.yaml:5: egress\.allowed_hosts: /);
    expect(textOf(await running.wire.say("hello"))).toBe("ok");
    running.folders.configure(config(gateway.baseUrl));
    running.live.reload();
    expect(running.live.rejected).toBeUndefined();
  });

  it("puts the new name on its card, and names what waits for a restart", async () => {
    running.folders.configure(
      config(gateway.baseUrl, "identity: { name: Renamed }\ncheckpoint: { on_restart: resume }"),
    );
    running.live.reload();
    const card = (await (await fetch(`${running.url}/.well-known/agent-card.json`)).json()) as { name: string };
    expect(card.name).toBe("Renamed");
    expect(running.live.restartRequired()).toEqual(["checkpoint.on_restart"]);
  });

  it("still takes a former secret out of what it shows", async () => {
    running.folders.configure(config(gateway.baseUrl).replace(KEY, "sk-another-9876543210abc"));
    running.live.reload();
    expect(running.live.settings.secrets).toEqual(expect.arrayContaining([KEY, "sk-another-9876543210abc"]));
  });
});

it("follows the files by itself", async () => {
  const folders = temporaryFolders();
  const live = createLiveSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
  const logged = Promise.withResolvers<string>();
  const refused = Promise.withResolvers<string>();
  const repaired = Promise.withResolvers<string>();
  const info = (text: string): void => (text.includes("again") ? repaired : logged).resolve(text);
  const logger = { info, warn() {}, error: refused.resolve };
  const end = followChanges(live, { logger } as never, { clock: systemClock(), persona: { reload() {} } });
  try {
    writeFileSync(join(folders.config, "agent-config.yaml"), "model: { temperature: 1 }\n");
    expect(await logged.promise).toBe("the configuration changed: model.temperature");
    writeFileSync(join(folders.config, "agent-config.yaml"), "model: { temperature: 1\n");
    expect(await refused.promise).toMatch(/refused, what ran runs on: .*agent-config\.yaml:/);
    expect(live.settings.model.temperature).toBe(1);
    writeFileSync(join(folders.config, "agent-config.yaml"), "model: { temperature: 1 }\n");
    expect(await repaired.promise).toBe("the configuration is accepted again");
  } finally {
    end();
    folders.remove();
  }
});
