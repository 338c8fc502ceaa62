/** Subscriptions on the running service (R9): turns over both wires, tokens that renew themselves and are kept. */
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
import { type Json, temporaryFolders, textOf } from "../testing/index.ts";
import { startTestService } from "../testing/test-service.ts";

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
    const reply = {
      text: [`${(body as Json).model} for ${headers.authorization?.replace("Bearer ", "")?.slice(0, 8)}`],
    };
    return path.endsWith("/v1/messages") ? messagesAnswer(reply) : responsesAnswer(reply);
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

  it("is tested, entered and used over the operator API, and its tokens are never returned", async () => {
    const folders = temporaryFolders();
    try {
      await using running = await startTestService({ folders, env: { SVC_MODEL: "scripted:demo" } });
      const ask = async (method: string, path: string, body: object): Promise<[number, Json]> => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(`${running.url}${path}`, { method, headers, body: JSON.stringify(body) });
        const text = await answer.text();
        expect(text).not.toMatch(/-secret/);
        return [answer.status, JSON.parse(text) as Json];
      };
      const seen = (): unknown => provider.requests.at(-1)?.headers.authorization;
      const isNew = { provider: "oauth-subscription-a", api_base: provider.baseUrl, model: "opus" };
      const tried = await ask("POST", "/api/config/test-model", { ...isNew, api_key: "access-t-secret" });
      expect(tried).toMatchObject([200, { answer: { ok: true } }]);
      expect(seen()).toBe("Bearer access-t-secret");
      const without = await ask("POST", "/api/config/test-model", isNew);
      expect(without).toMatchObject([200, { ok: false, error: expect.stringContaining("has no token") }]);
      const credential = { access_token: "access-n-secret", refresh_token: "", client_id: "mine" };
      const added = { id: "max", type: "oauth-subscription-a", base_url: provider.baseUrl };
      const saved = await ask("POST", "/api/providers", { ...added, credential });
      expect(saved).toMatchObject([201, { provider: { type: "oauth-subscription-a", key_set: true } }]);
      const overlay = readFileSync(join(folders.config, "secrets.yaml"), "utf8");
      expect(overlay).toMatch(/max:\s+access_token: access-n-secret\s+client_id: mine\n/);
      expect(textOf(await running.wire.say("hello", {}, { metadata: { model: "max:opus" } }))).toMatch(/access-n$/);
      // Its token alone replaces it; the stored one is sent to its own address only (R13).
      expect(await ask("PUT", "/api/providers/max", { api_key: "access-m-secret" })).toMatchObject([200, {}]);
      expect(textOf(await running.wire.say("hello", {}, { metadata: { model: "max:opus" } }))).toMatch(/access-m$/);
      const count = provider.requests.length;
      const elsewhere = { provider: "max", api_base: `${provider.baseUrl}/other`, model: "opus" };
      expect(await ask("POST", "/api/config/test-model", elsewhere)).toMatchObject([200, { ok: false, answer: null }]);
      expect(provider.requests.length).toBe(count);
      expect(await ask("PUT", "/api/providers/max", { api_key: "a", credential })).toMatchObject([400, {}]);
      const gateway = { id: "gw", type: "compat-gateway", base_url: provider.baseUrl, credential };
      expect(await ask("POST", "/api/providers", gateway)).toMatchObject([400, {}]);
    } finally {
      folders.remove();
    }
  });

  it("without a token fails the task with what to do", async () => {
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
