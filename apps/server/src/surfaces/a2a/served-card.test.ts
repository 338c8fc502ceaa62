import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const PATHS = ["/.well-known/agent-card.json", "/.well-known/agent.json"];
const CONFIG = `
identity: { name: Ada }
a2a:
  description: Counts things.
  skills:
    - { id: count, name: Count, description: Counts., tags: [numbers], result_mime: application/json, output_schema: { type: object } }
auth: { token: operator-token, federation_token: peer-token }
model: { name: "scripted:demo" }
`;

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG, env: { A2A_PUBLIC_URL: "https://agent.example/base/" } });
});
afterAll(() => running.stop());

describe("the agent's card (A3)", () => {
  it("is the same at both well-known paths, for everyone, with an ETag that answers 304 [R10-8.1-1, R10-8.6-1]", async () => {
    const [first, second] = await Promise.all(PATHS.map((path) => fetch(running.url + path)));
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(await first?.text()).toBe(await second?.text());
    const etag = first?.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"/);
    expect(second?.headers.get("etag")).toBe(etag);
    for (const header of ["last-modified", "cache-control"]) expect(first?.headers.get(header)).toBeTruthy();
    expect(first?.headers.get("vary")).toContain("A2A-Version");
    const again = await fetch(running.url + PATHS[0], { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("has name, address, skills, security and what is really implemented", async () => {
    const card = await (await fetch(running.url + PATHS[0])).json();
    expect(card).toMatchObject({
      name: "Ada",
      description: "Counts things.",
      url: "https://agent.example/base/a2a",
      capabilities: { streaming: true },
      skills: [{ id: "count", outputModes: ["application/json"] }],
    });
    expect(card.supportedInterfaces.map((one: { url: string }) => one.url)).toContain("https://agent.example/base/a2a");
    expect(Object.keys(card.securitySchemes)).toEqual(["bearer"]);
    expect(card.capabilities.extensions.map((one: { uri: string }) => one.uri)).toEqual(
      ["cost", "tool-call", "stream-cursor", "idempotency", "reasoning"].map(
        (name) => `urn:agent-service:a2a:ext:${name}-v1`,
      ),
    );
  });

  it("is a pure 1.0 card for callers of 1.0, and under the endpoint's own path always", async () => {
    const [first, second] = await Promise.all([
      fetch(running.url + PATHS[0], { headers: { "a2a-version": "1.0" } }),
      fetch(`${running.url}/a2a/.well-known/agent-card.json`),
    ]);
    const card = await first?.json();
    expect(card).toEqual(await second?.json());
    expect(second?.headers.get("etag")).toBe(first?.headers.get("etag"));
    expect(card).toMatchObject({
      name: "Ada",
      supportedInterfaces: [
        { url: "https://agent.example/base/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url: "https://agent.example/base/a2a", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
        { url: "https://agent.example/base/a2a", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
      capabilities: { streaming: true, extendedAgentCard: true },
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    });
    for (const field of ["url", "protocolVersion", "preferredTransport", "security"]) {
      expect(card).not.toHaveProperty(field);
    }
  });

  it("is returned as the extended card to every authenticated caller, and to no one else [R10-13.3-1, R03-7.10-1]", async () => {
    const method = "agent/getAuthenticatedExtendedCard";
    for (const token of ["operator-token", "peer-token"]) {
      const card = await running.wireAs({ authorization: `Bearer ${token}` }).result(method, {});
      expect(card).toMatchObject({ name: "Ada", url: "https://agent.example/base/a2a" });
    }
    const refused = await running.wire.answer(method, {});
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(refused.body).toEqual({ detail: expect.stringContaining("Authorization: Bearer") });
  });

  it("advertises the loopback address with the bound port when no public one is set", async () => {
    await using plain = await startTestService();
    const card = await (await fetch(plain.url + PATHS[1])).json();
    expect(card.url).toBe(`http://127.0.0.1:${plain.port}/a2a`);
    expect(card.skills).toMatchObject([{ id: "chat" }]);
    expect(card.securitySchemes ?? {}).toEqual({});
  });
});
