import { localGateway, textReply } from "@agent-service/agent-core/testing";
import { expect, it } from "vitest";
import { composeModels } from "./compose-models.ts";
import { loadServerSettings } from "./sections/index.ts";
import { temporaryFolders } from "./testing/index.ts";

it("knows a model's window from its connection, else from what the gateway tells (ruling R13)", async () => {
  const gateway = await localGateway(textReply("x"));
  gateway.list([
    { id: "said", context_length: 1 },
    { id: "told", context_length: 32_768 },
  ]);
  const folders = temporaryFolders(`
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", models: { said: { context_window: 9000 } } }
model: { name: "gw:told" }
`);
  const settings = loadServerSettings({ env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config } });
  const models = composeModels(settings);
  try {
    // The first turn does not wait for the gateway's list.
    expect(models.choose(undefined).windowTokens).toBeUndefined();
    await expect.poll(() => models.choose(undefined).windowTokens).toBe(32_768);
    expect(models.choose("gw:said").windowTokens).toBe(9_000);
    expect(models.choose("gw:unknown").windowTokens).toBeUndefined();
  } finally {
    await models.close();
    await gateway.close();
    folders.remove();
  }
});
