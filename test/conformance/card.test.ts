/** The agent's card, and whether it is true. */
import { afterAll, describe, expect, it } from "vitest";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";
import { misfits03 } from "./shapes-0-3.ts";
import { misfits10 } from "./shapes-1-0.ts";
import { type Json, speakersTo } from "./speaker.ts";

const running = await startTestService({
  config: `
auth: { token: operator-token, federation_token: peer-token }
model: { name: "scripted:demo" }
a2a:
  skills:
    - { id: count, name: Count, description: Counts., result_mime: application/json, output_schema: { type: object } }
`,
  env: { AGENT_NAME: "Ada", ADA_API_KEY: "operator-key" },
});
afterAll(() => running.stop());

const PATH = "/.well-known/agent-card.json";
const operator = { authorization: "Bearer operator-token" };
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(running.url + path, { method, headers });
const cardAt = async (path: string, headers: Record<string, string> = {}): Promise<Json> =>
  (await get(path, headers)).json() as Promise<Json>;
const hybrid = await cardAt(PATH);
const pure = await cardAt(PATH, { "a2a-version": "1.0" });

/** Whether an address serves this: it knows the method, and that there is no such task. */
async function serves(url: string, binding: string, version: string): Promise<boolean> {
  const headers = { ...operator, "content-type": "application/json", "a2a-version": version };
  const method = version === "0.3" ? "tasks/get" : "GetTask";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { id: "no-such-task" } });
  const response =
    binding === "JSONRPC"
      ? await fetch(url, { method: "POST", headers, body })
      : await fetch(`${url}/tasks/no-such-task`, { headers });
  return /no-such-task/.test(await response.text()) && response.status === (binding === "JSONRPC" ? 200 : 404);
}

describe("the card", () => {
  it("is valid in both versions, at the well-known path [R10-8.1-1, R10-14.3-1, R10-5.7-1, R10-5.7-3, R03-5.1-1, R03-5.6.4-1, R03-11.1.1-2, R03-11.1-1]", () => {
    expect(misfits03("AgentCard", hybrid)).toEqual([]);
    expect(misfits10("card", pure)).toEqual([]);
    // A client of 1.0 that names no version reads the same of it.
    for (const field of ["name", "description", "version", "supportedInterfaces", "defaultInputModes", "skills"]) {
      expect(hybrid[field], field).toEqual(pure[field]);
    }
  });

  it("names interfaces that answer as declared [R10-8.3-1, R10-8.3.1-2, R03-3.1-1, R03-3.1-2, R03-3.2-1, R03-5.5.5-1, R03-5.6-1, R03-5.6.2-1, R03-5.6.2-2, R03-5.6.4-3, R03-5.6.4-4, R03-5.6.4-5, R03-11.1.1-1, R03-11.1.1-3]", async () => {
    expect(pure.supportedInterfaces.length).toBeGreaterThan(2);
    for (const { url, protocolBinding, protocolVersion } of pure.supportedInterfaces) {
      expect(await serves(url, protocolBinding, protocolVersion), `${protocolBinding} ${protocolVersion}`).toBe(true);
    }
    const { additionalInterfaces, url, preferredTransport } = hybrid;
    expect(additionalInterfaces).toContainEqual({ url, transport: preferredTransport });
    expect(new Set(additionalInterfaces.map((one: Json) => one.url)).size).toBe(additionalInterfaces.length);
    for (const one of additionalInterfaces) expect(await serves(one.url, one.transport, "0.3")).toBe(true);
  });

  it("names a main endpoint and the transport that is spoken there [R03-5.6.1-1, R03-5.6.1-2, R03-5.6.1-3, R03-5.6.1-4, R03-5.6.4-2]", async () => {
    expect(hybrid.preferredTransport).toBe("JSONRPC");
    expect(await serves(hybrid.url, hybrid.preferredTransport, "0.3")).toBe(true);
  });

  it("leaves HTTP+JSON of 0.3 out, which is served all the same [DEV-rest-0-3]", async () => {
    expect(hybrid.additionalInterfaces.map(({ transport }: Json) => transport)).toEqual(["JSONRPC"]);
    expect(await serves(`${running.url}/v1`, "HTTP+JSON", "0.3")).toBe(true);
  });

  it("names versions without patches, and extensions with theirs [R10-3.6-1, R10-4.6.3-1]", () => {
    const versions = pure.supportedInterfaces.map(({ protocolVersion }: Json) => protocolVersion);
    expect(versions).toEqual(["1.0", "1.0", "0.3"]);
    expect(pure.capabilities.extensions.length).toBeGreaterThan(2);
    for (const { uri } of pure.capabilities.extensions) expect(uri).toMatch(/-v\d+$/);
  });

  it("holds no credential [R10-14.3-2, R10-13.3-5, R03-5.4-2]", async () => {
    const extended = await cardAt("/a2a/extendedAgentCard", operator);
    for (const card of [hybrid, pure, extended]) {
      expect(JSON.stringify(card)).not.toMatch(/operator-token|peer-token|operator-key/);
    }
  });

  it("is cached by the rules of HTTP [R10-8.6-1, R10-8.6.1-1, R10-8.6.1-2]", async () => {
    const tags = new Set<string | null>();
    for (const [path, headers] of [
      [PATH, {}],
      ["/.well-known/agent.json", {}],
      [PATH, { "a2a-version": "1.0" }],
      [`/a2a${PATH}`, {}],
    ] as const) {
      const first = await get(path, headers);
      expect(first.headers.get("cache-control")).toMatch(/max-age=\d+/);
      expect(first.headers.get("vary")).toContain("A2A-Version");
      const [etag, modified] = [first.headers.get("etag")!, first.headers.get("last-modified")!];
      tags.add(etag);
      for (const [name, value] of [
        ["if-none-match", etag],
        ["if-modified-since", modified],
      ] as const) {
        const again = await get(path, { ...headers, [name]: value });
        expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
      }
      expect((await get(path, { ...headers, "if-none-match": '"other"' })).status).toBe(200);
      const head = await get(path, headers, "HEAD");
      expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
    }
    expect(tags.size).toBe(2);
  });
});

describe.each(speakersTo(running.url))("the extended card in $version over $binding", (caller) => {
  it("comes to those who show a credential the public card names [R10-13.3-1, R10-13.3-2, R10-13.3-6, R10-14.3-4, R03-7.10-1]", async () => {
    expect(Object.keys(pure.securitySchemes)).toEqual(["bearer", "apiKey"]);
    const { name } = pure.securitySchemes.apiKey.apiKeySecurityScheme;
    const schemes: readonly Record<string, string>[] = [
      operator,
      { authorization: "Bearer peer-token" },
      { [name]: "operator-key" },
    ];
    for (const headers of schemes) {
      const { result } = await caller.ask("card", {}, headers);
      expect(result).toEqual(caller.version === "0.3" ? hybrid : pure);
    }
    const wrong: readonly Record<string, string>[] = [{}, { authorization: "Bearer wrong" }, { [name]: "peer-token" }];
    for (const headers of wrong) {
      const refused = await caller.ask("card", {}, headers);
      expect([refused.status, refused.headers.get("www-authenticate"), refused.body]).toMatchObject([
        401,
        "Bearer",
        { detail: expect.any(String) },
      ]);
    }
  });

  it("tells callers how to cache it, where it has an address [R10-13.3-3]", async () => {
    const { headers } = await caller.ask("card", {}, operator);
    if (caller.binding === "JSON-RPC") return expect(headers.get("etag")).toBeNull();
    expect(headers.get("cache-control")).toMatch(/^private, max-age=\d+$/);
    expect(headers.get("vary")).toContain("Authorization");
    const known = { ...operator, "if-none-match": headers.get("etag")! };
    const again = await fetch(caller.request("card", {}, known));
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });
});
