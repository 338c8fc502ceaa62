import { describe, expect, it } from "vitest";
import { cardFor, cardResponse, hybridCard, v1Card } from "./index.ts";

const input = { name: "Weather", description: "Tells the weather." };
const url = "https://agents.example/a2a";

describe("the hybrid card (A3)", () => {
  it("has every field 0.3 requires, and 1.0's interfaces, for what is served", () => {
    expect(hybridCard({ ...input, skills: [{ id: "s", name: "S", description: "d" }] }, url)).toEqual({
      ...input,
      version: "0.0.0",
      protocolVersion: "0.3.0",
      url,
      preferredTransport: "JSONRPC",
      additionalInterfaces: [{ url, transport: "JSONRPC" }],
      supportedInterfaces: [
        { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
        { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
      capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false, extensions: [] },
      defaultInputModes: ["text/plain", "application/json"],
      defaultOutputModes: ["text/plain", "application/json"],
      skills: [{ id: "s", name: "S", description: "d", tags: ["s"] }],
      supportsAuthenticatedExtendedCard: true,
    });
  });

  it("advertises a security scheme only where one is configured", () => {
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

describe("the pure 1.0 card (A3)", () => {
  it("has 1.0's fields and forms, and none of 0.3's", () => {
    const whole = {
      ...input,
      provider: { organization: "O", url: "https://o.example" },
      documentationUrl: "https://o.example/docs",
      iconUrl: "https://o.example/icon",
      extensions: [{ uri: "urn:x" }],
      security: { bearer: true, apiKeyHeader: "X-API-Key" },
    };
    const { extensions, security: _, ...same } = whole;
    expect(v1Card(hybridCard(whole, url))).toEqual({
      ...same,
      version: "0.0.0",
      supportedInterfaces: hybridCard(whole, url).supportedInterfaces,
      capabilities: { streaming: true, pushNotifications: false, extensions, extendedAgentCard: true },
      defaultInputModes: ["text/plain", "application/json"],
      defaultOutputModes: ["text/plain", "application/json"],
      skills: [],
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
        apiKey: { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } },
      },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }, { schemes: { apiKey: { list: [] } } }],
    });
    expect(v1Card(hybridCard(input, url))).not.toHaveProperty("securitySchemes");
  });

  it("is sent to who asks for version 1.0 by header", () => {
    const card = hybridCard(input, url);
    const asking = (version?: string) =>
      cardFor(new Request("http://x/", { headers: version === undefined ? {} : { "A2A-Version": version } }), card);
    expect(asking()).toBe(card);
    expect(asking("0.3")).toBe(card);
    for (const version of ["1.0", "1.0.1"]) expect(asking(version)).toEqual(v1Card(card));
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
    expect(get({ "if-none-match": "*" }).status).toBe(304);
    expect(get({ "if-modified-since": "Sat, 31 Jan 2026 00:00:00 GMT" }).status).toBe(304);
    expect(get({ "if-modified-since": "Fri, 30 Jan 2026 23:59:59 GMT" }).status).toBe(200);
    expect(get({ "if-modified-since": "lately" }).status).toBe(200);
    // A tag has precedence over a date.
    expect(get({ "if-none-match": '"old"', "if-modified-since": "Sat, 31 Jan 2026 00:00:00 GMT" }).status).toBe(200);
    const changed = cardResponse(new Request("http://x/"), hybridCard({ ...input, name: "Weathfr" }, url), {
      lastModified,
    });
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  it("sends no body to HEAD", async () => expect(await get({}, "HEAD").text()).toBe(""));
});
