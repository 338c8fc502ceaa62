/** Subscriptions on the running service (ruling R9): turns over both wires, tokens that renew themselves and are kept. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type GatewayReply,
  type LocalGateway,
  localGateway,
  messagesAnswer,
  responsesAnswer,
} from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "./test-service.ts";
import { type Json, temporaryFolders, textOf } from "./testing/index.ts";

let provider: LocalGateway;
let renewals = 0;
beforeAll(async () => {
  provider = await localGateway(({ path, headers, body }): GatewayReply => {
    if (path.endsWith("/token")) {
      renewals += 1;
      const tokens = {
        access_token: `access-${renewals}-secret`,
        refresh_token: `refresh-${renewals}-secret`,
        expires_in: 3600,
      };
      return { headers: { "content-type": "application/json" }, steps: [JSON.stringify(tokens)] };
    }
    const says = {
      text: [`${(body as Json).model} for ${headers.authorization?.replace("Bearer ", "")?.slice(0, 8)}`],
    };
    return path.endsWith("/v1/messages") ? messagesAnswer(says) : responsesAnswer(says);
  });
});
afterAll(() => provider.close());

const config = (): string => `
# mine
providers:
  - { id: max, type: oauth-subscription-a, base_url: "${provider.baseUrl}" }
  - { id: plus, type: oauth-subscription-b }
  - { id: empty, type: oauth-subscription-a }
model: { name: "max:opus", max_retries: 0 }
`;
const secrets = (): string => `
providers:
  max:
    access_token: access-0-secret
    refresh_token: refresh-0-secret
    expires_at: 2020-01-01T00:00:00Z
    token_endpoint: ${provider.baseUrl}/token
    client_id: mine
  plus: { access_token: access-p-secret }
`;

describe("a subscription", () => {
  it("serves turns over either wire; an expired token is renewed once, kept, and used after a restart", async () => {
    const folders = temporaryFolders();
    folders.configure(config());
    writeFileSync(join(folders.config, "secrets.yaml"), secrets());
    const env = { SVC_CODEX_BASE_URL: `${provider.baseUrl}/codex`, SVC_CODEX_OUTPUT_VERSION: "v0" };
    try {
      {
        await using running = await startTestService({ folders, env, config: config() });
        const both = await Promise.all([running.wire.say("hello"), running.wire.say("hello")]);
        expect(both.map(textOf)).toEqual(["opus for access-1", "opus for access-1"]);
        expect(renewals).toBe(1);
        const plus = await running.wire.say("hello", {}, { metadata: { model: "plus:gpt" } });
        expect(textOf(plus)).toBe("gpt for access-p");
        const asked = provider.requests.at(-1)!;
        expect(asked.path).toBe("/v1/codex/responses");
        expect((asked.body as Json).input.at(-1).content).toBe("hello");
        // The reload that the saved token caused changes nothing for the next turn.
        expect(textOf(await running.wire.say("again"))).toBe("opus for access-1");
        expect(renewals).toBe(1);
        expect(running.log.join("")).not.toMatch(/access-\d|refresh-\d/);
      }
      const overlay = join(folders.config, "secrets.yaml");
      expect(readFileSync(overlay, "utf8")).toMatch(/access-1-secret[\s\S]*refresh-1-secret/);
      expect(readFileSync(overlay, "utf8")).not.toContain("refresh-0");
      expect(statSync(overlay).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(folders.config, "agent-config.yaml"), "utf8")).toBe(config());
      await using again = await startTestService({ folders, env, config: config() });
      expect(textOf(await again.wire.say("hello"))).toBe("opus for access-1");
      expect(renewals).toBe(1);
    } finally {
      folders.remove();
    }
  });

  it("without a token fails the task and says what to do", async () => {
    await using running = await startTestService({ config: config() });
    const task = await running.wire.say("hello", {}, { metadata: { model: "empty:opus" } });
    expect(task.status.state).toBe("failed");
    expect(task.status.message.parts[0].text).toMatch(/the connection empty has no token/);
    const response = await fetch(`${running.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "empty:opus", messages: [{ role: "user", content: "hello" }] }),
    });
    expect([response.status, ((await response.json()) as Json).error.code]).toEqual([503, "model_no_credential"]);
  });
});
