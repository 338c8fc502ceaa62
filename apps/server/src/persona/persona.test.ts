/** The persona on the running service: its file, the operator API, the prompt (B41). */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LocalGateway, localGateway, textReply } from "@agent-service/agent-core/testing";
import { createOperatorClient, type OperatorClient } from "@agent-service/operator-api/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../testing/test-service.ts";

let gateway: LocalGateway;
let running: TestService;
let client: OperatorClient;
const soulFile = (): string => join(running.folders.config, "SOUL.md");

beforeAll(async () => {
  gateway = await localGateway(textReply("ok"));
  running = await startTestService({
    config: `
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }
model: { name: "gw:m", max_retries: 0 }
identity: { name: sam }
prompt_cache: { enabled: false }
`,
  });
  client = createOperatorClient({ baseUrl: running.url });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

async function systemOfNextTurn(): Promise<string> {
  await running.wire.say("hi");
  const body = gateway.requests.at(-1)?.body as { messages: { role: string; content: string }[] };
  return body.messages[0]?.content ?? "";
}

describe("the persona", () => {
  it("is saved over the operator API into SOUL.md, and leads the next turn's prompt, the same bytes each time", async () => {
    const before = await systemOfNextTurn();
    expect(before).toMatch(/^You are sam, an autonomous agent\.\nUse your tools/);
    const { name, content } = await client.get("/api/config/presets/{name}", { params: { name: "researcher" } });
    expect(name).toBe("researcher");
    expect((await client.get("/api/config/setup-status")).presets).toContain("researcher");
    const saved = await client.post("/api/config", { body: { soul: content } });
    expect(saved.messages).toEqual(["Saved the persona."]);
    expect((await client.get("/api/config")).soul).toBe(content.trim());
    expect(readFileSync(soulFile(), "utf8")).toBe(content);
    const after = await systemOfNextTurn();
    expect(after.startsWith(`You are sam, an autonomous agent.\n\n${content.trim()}\n\nUse your tools`)).toBe(true);
    expect(await systemOfNextTurn()).toBe(after);
  });

  it("that is edited by hand counts without a restart", async () => {
    writeFileSync(soulFile(), "Edited by hand.\n");
    await expect.poll(async () => (await client.get("/api/config")).soul).toBe("Edited by hand.");
    expect(await systemOfNextTurn()).toContain("\n\nEdited by hand.\n\n");
  });

  it("that does not ship is 404", async () => {
    await expect(client.get("/api/config/presets/{name}", { params: { name: "unknown" } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
