import { describe, expect, it } from "vitest";
import { createOriginPolicy, parseAllowedOrigins } from "./origin-policy.ts";

const policy = (list: string | undefined, publicUrl?: string) =>
  createOriginPolicy({ allowed: parseAllowedOrigins(list), publicUrl });

describe("A2A_ALLOWED_ORIGINS (B29)", () => {
  it("is unset when blank, off with a star, on with a list", () => {
    expect(parseAllowedOrigins(undefined).verification).toBe("unset");
    expect(parseAllowedOrigins(" , ").verification).toBe("unset");
    expect(parseAllowedOrigins("*").verification).toBe("off");
    expect(parseAllowedOrigins("https://a.example, *")).toEqual({
      verification: "off",
      listed: new Set(["https://a.example"]),
    });
    expect(parseAllowedOrigins(" HTTPS://A.example/ ")).toEqual({
      verification: "on",
      listed: new Set(["https://a.example"]),
    });
  });

  it.each([
    ["https://a.example", { origin: "https://a.example" }, true],
    ["https://a.example", { origin: "HTTPS://A.EXAMPLE" }, true],
    ["https://a.example", { origin: "https://a.example:8443" }, false],
    ["https://a.example", { origin: "https://b.example" }, false],
    ["https://a.example", { origin: "null" }, false],
    ["https://a.example", {}, false],
    ["https://a.example", { "sec-fetch-site": "same-origin" }, true],
    ["https://a.example", { origin: "https://renamed.example", "sec-fetch-site": "same-origin" }, true],
    ["https://a.example", { "sec-fetch-site": "same-site" }, false],
    ["https://a.example", { "sec-fetch-site": "none" }, false],
    ["https://a.example", { origin: "http://localhost:7870", host: "LOCALHOST:7870" }, true],
    ["https://a.example", { origin: "file://localhost:7870", host: "localhost:7870" }, false],
    ["https://a.example", { origin: "https://public.example" }, true],
    [undefined, { origin: "https://b.example" }, true],
    [undefined, {}, true],
    ["*", {}, true],
  ])("with %s a streaming request with %j passes: %s", (list, headers, passes) => {
    const refusal = policy(list, "https://public.example/x").refuseStreaming(headers);
    expect(refusal?.status).toBe(passes ? undefined : 403);
  });
});

describe("a browser's cross-site request that changes state (S4)", () => {
  const host = "localhost:7870";
  it.each([
    ["POST", {}, true],
    ["POST", { origin: "http://localhost:7870", "sec-fetch-site": "same-origin" }, true],
    ["POST", { origin: "https://agent.example", "sec-fetch-site": "same-origin" }, true],
    ["POST", { origin: "https://a.example", "sec-fetch-site": "cross-site" }, true],
    ["POST", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, false],
    ["POST", { origin: "https://evil.example" }, false],
    ["POST", { origin: "null" }, false],
    ["POST", { origin: "http://localhost:3000", "sec-fetch-site": "same-site" }, false],
    ["POST", { "sec-fetch-site": "cross-site" }, false],
    ["POST", { "sec-fetch-site": "none" }, true],
    ["DELETE", { origin: "https://evil.example" }, false],
    ["PUT", { origin: "https://evil.example" }, false],
    ["GET", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, true],
    ["HEAD", { origin: "https://evil.example" }, true],
  ])("%s with %j passes: %s", (method, headers, passes) => {
    const refusal = policy("https://a.example").refuseCrossSite(method, { host, ...headers });
    expect(refusal?.status).toBe(passes ? undefined : 403);
  });

  it("does not let a star make foreign pages ours", () => {
    expect(policy("*").refuseCrossSite("POST", { host, origin: "https://evil.example" })?.status).toBe(403);
    expect(
      policy("*")
        .withCors(new Response("x"), { origin: "https://evil.example" })
        .headers.has("access-control-allow-origin"),
    ).toBe(false);
  });
});

describe("CORS for listed origins (S4)", () => {
  const listed = { origin: "https://a.example", "access-control-request-method": "POST" };

  it("answers the preflight of a listed origin and of no other", () => {
    const answer = policy("https://a.example").preflight("OPTIONS", listed);
    expect(answer?.status).toBe(204);
    expect(answer?.headers.get("access-control-allow-origin")).toBe("https://a.example");
    expect(answer?.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(answer?.headers.get("vary")).toBe("origin");
    expect(
      policy("https://a.example").preflight("OPTIONS", { ...listed, origin: "https://b.example" }),
    ).toBeUndefined();
    expect(policy("*").preflight("OPTIONS", listed)).toBeUndefined();
    expect(policy("https://a.example").preflight("POST", listed)).toBeUndefined();
    expect(policy("https://a.example").preflight("OPTIONS", { origin: "https://a.example" })).toBeUndefined();
  });

  it("adds its headers to an answer without losing the answer's own, and leaves others alone", async () => {
    const answer = new Response("body", { status: 201, headers: { vary: "A2A-Version", etag: '"1"' } });
    const decorated = policy("https://a.example").withCors(answer, { origin: "https://a.example" });
    expect(decorated.status).toBe(201);
    expect(decorated.headers.get("etag")).toBe('"1"');
    expect(decorated.headers.get("vary")).toBe("A2A-Version, origin");
    expect(decorated.headers.get("access-control-allow-origin")).toBe("https://a.example");
    expect(decorated.headers.has("access-control-allow-credentials")).toBe(false);
    expect(await decorated.text()).toBe("body");
    expect(policy("https://a.example").withCors(answer, {})).toBe(answer);
  });
});
