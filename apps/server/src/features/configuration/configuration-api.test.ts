/** The configuration over the operator API, on the running service (B41; O1, O6). */
import { createOperatorClient, type OperatorClient } from "@agent-service/operator-api/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
let client: OperatorClient;
beforeAll(async () => {
  running = await startTestService({
    config: [
      "providers:",
      "  - {id: main, type: scripted}",
      "  - {id: other, base_url: 'http://127.0.0.1:9/v1', api_key: sk-planted-0123456789}",
      "model: {temperature: 0.7}",
      "auth: {token: tok-planted-0123456789}",
      "settings: {hidden: [journal]}",
      "",
    ].join("\n"),
    env: { SVC_MODEL: "main:demo" },
  });
  client = createOperatorClient({ baseUrl: running.url, token: "tok-planted-0123456789" });
});
afterAll(() => running.stop());

describe("the configuration over the operator API", () => {
  it("is read without any secret, with its revision and what a variable owns", async () => {
    const read = await client.get("/api/config");
    expect(read).toMatchObject({
      config: {
        model: { temperature: 0.7, name: "main:demo", api_key: "" },
        auth: { token: "", federation_token: "" },
        providers: [{ id: "main" }, { id: "other", api_key: "" }],
      },
      env_owned: { "model.name": "SVC_MODEL" },
      managed: false,
    });
    expect(read.config).not.toHaveProperty("journal");
    expect(JSON.stringify(read)).not.toContain("planted");
    expect(read.revision).toMatch(/^[0-9a-f]{16}$/);
  });

  it("explains where a value comes from", async () => {
    const { values } = await client.get("/api/config/explain", { query: { key: "model" } });
    const byKey = Object.fromEntries(values.map((one) => [one.key, one]));
    expect(byKey["model.temperature"]).toMatchObject({
      value: 0.7,
      layer: "agent",
      source: expect.stringMatching(/:4$/),
    });
    expect(byKey["model.name"]).toMatchObject({ layer: "env", source: "environment variable SVC_MODEL" });
    expect(byKey["model.max_tokens"]).toMatchObject({ layer: "default", is_set: false });
    const hidden = client.get("/api/config/explain", { query: { key: "journal" } });
    await expect(hidden).rejects.toMatchObject({ status: 404 });
  });

  it("comes as forms, and its connections as a list", async () => {
    const { groups } = await client.get("/api/settings/schema");
    expect(groups.map(({ section }) => section)).not.toContain("journal");
    const fields = groups.flatMap((group) => group.fields);
    const temperature = fields.find(({ key }) => key === "model.temperature");
    expect(temperature).toMatchObject({ value: 0.7, default: 0.2, minimum: 0, maximum: 2, source: "agent" });
    expect(fields.find(({ key }) => key === "auth.token")).toMatchObject({ type: "secret", value: "", is_set: true });
    const { providers } = await client.get("/api/providers");
    expect(providers).toMatchObject([
      { id: "main", lead: true, key_set: false },
      { id: "other", lead: false, key_set: true, base_url: "http://127.0.0.1:9/v1" },
    ]);
    expect(JSON.stringify([groups, providers])).not.toContain("planted");
    expect(await client.get("/api/config/setup-status")).toMatchObject({ setup_complete: true });
  });
});
