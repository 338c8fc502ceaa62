import { describe, expect, it } from "vitest";
import { cardResponse, hybridCard } from "./index.ts";

const input = { name: "Weather", description: "Tells the weather." };
const url = "https://agents.example/a2a";

describe("the hybrid card (ruling A3)", () => {
  it("has every field 0.3 requires, and 1.0's interfaces, for what is served", () => {
    expect(hybridCard({ ...input, skills: [{ id: "s", name: "S", description: "d" }] }, url)).toEqual({
      ...input,
      version: "0.0.0",
      protocolVersion: "0.3.0",
      url,
      preferredTransport: "JSONRPC",
      additionalInterfaces: [{ url, transport: "JSONRPC" }],
      supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "0.3" }],
      capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false, extensions: [] },
      defaultInputModes: ["text/plain", "application/json"],
      defaultOutputModes: ["text/plain", "application/json"],
      skills: [{ id: "s", name: "S", description: "d", tags: [] }],
      supportsAuthenticatedExtendedCard: true,
    });
  });

  it("advertises a security scheme only where one is configured (document 1)", () => {
    expect(hybridCard({ ...input, security: {} }, url)).not.toHaveProperty("securitySchemes");
    expect(hybridCard({ ...input, security: { bearer: true, apiKeyHeader: "X-API-Key" } }, url)).toMatchObject({
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      },
      security: [{ bearer: [] }, { apiKey: [] }],
    });
  });
});

describe("serving a card", () => {
  const card = hybridCard(input, url);
  const lastModified = Date.UTC(2026, 0, 31);
  const get = (headers: Record<string, string> = {}, method = "GET") =>
    cardResponse(new Request("http://x/.well-known/agent-card.json", { headers, method }), card, { lastModified });

  it("sends the headers caches need", async () => {
    const response = get();
    expect(await response.json()).toEqual(card);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "application/json",
      etag: expect.stringMatching(/^".+"$/),
      "last-modified": "Sat, 31 Jan 2026 00:00:00 GMT",
      "cache-control": "public, max-age=60",
      vary: "A2A-Version",
    });
  });

  it("answers 304 to a copy that is current, and only then", () => {
    const etag = get().headers.get("etag") ?? "";
    expect(get({ "if-none-match": `"old", W/${etag}` }).status).toBe(304);
    expect(get({ "if-none-match": '"old"' }).status).toBe(200);
    const changed = cardResponse(new Request("http://x/"), hybridCard({ ...input, name: "Weathfr" }, url), {
      lastModified,
    });
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  it("sends no body to HEAD", async () => expect(await get({}, "HEAD").text()).toBe(""));
});
