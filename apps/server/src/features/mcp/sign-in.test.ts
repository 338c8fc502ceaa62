/** Signing in to a server over the operator API, and what is kept of it (M4, M13). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { authorizationDouble } from "@agent-service/agent-core/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolders } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let double: Awaited<ReturnType<typeof authorizationDouble>>;
beforeEach(async () => {
  double = await authorizationDouble();
});
afterEach(() => double.close());

interface Row {
  readonly state: string;
  readonly auth: string;
  readonly auth_ends_at: string | null;
}

async function ask({ url }: TestService, method: string, path: string, body?: object) {
  const json = body !== undefined && { "content-type": "application/json" };
  const init = { method, headers: { ...json }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}/api/mcp/servers${path}`, init);
  return { status: response.status, text: await response.text() };
}
const row = async (service: TestService): Promise<Row> => JSON.parse((await ask(service, "GET", "/bank")).text) as Row;
const until = (service: TestService, state: string) => expect.poll(async () => (await row(service)).state).toBe(state);
const redirect_uri = "http://127.0.0.1:9/callback";

/** Signs in as a person does. */
async function signIn(service: TestService): Promise<string> {
  const begun = await ask(service, "POST", "/bank/auth", { redirect_uri });
  expect(begun.status).toBe(200);
  const { url, state } = JSON.parse(begun.text) as { url: string; state: string };
  const params = double.approve(url);
  expect(params.state).toBe(state);
  expect((await ask(service, "POST", "/bank/auth/finish", { params })).status).toBe(200);
  return [...double.valid].at(-1)!;
}

it("signs in, calls with the token, signs in again after a restart of itself, and out", async () => {
  const folders = temporaryFolders();
  folders.configure(`mcp: {enabled: true, servers: [{name: bank, url: "${double.url}"}]}\n`);
  const pay = "/call bank__pay {}";
  {
    await using service = await startTestService({ folders });
    await until(service, "needs_auth");
    expect(await row(service)).toMatchObject({ auth: "needed", auth_ends_at: null });
    const token = await signIn(service);
    await until(service, "ready");
    expect(await row(service)).toMatchObject({ auth: "ok" });
    expect(JSON.stringify(await service.wire.say(pay))).toContain("paid");
    // Only `mcp.oauth` in secrets.yaml has the token, and nothing that is shown does.
    expect(readFileSync(join(folders.config, "secrets.yaml"), "utf8")).toContain(token);
    const config = await (await fetch(`${service.url}/api/config`)).text();
    expect(config + (await ask(service, "GET", "/bank")).text + service.log.join("")).not.toContain(token);
    expect(JSON.stringify(await service.wire.say(`the token is ${token}`))).toContain("You said");
    const trial = async (url: string) =>
      JSON.parse((await ask(service, "POST", "/test", { name: "bank", url })).text) as { ok: boolean };
    expect([(await trial(double.url)).ok, (await trial(`${double.url}?other`)).ok]).toEqual([true, false]);
  }
  await using service = await startTestService({ folders });
  await until(service, "ready");
  expect((await ask(service, "DELETE", "/bank/auth")).status).toBe(200);
  await until(service, "needs_auth");
  expect(double.seen).toContain("POST /revoke");
  expect(readFileSync(join(folders.config, "secrets.yaml"), "utf8")).not.toContain("access-");
});

it("takes the secret of a configured client, and forgets the sign-in of a server that is removed", async () => {
  await using service = await startTestService({});
  const oauth = { client_id: "robot", grant: "client_credentials" };
  const body = { name: "bank", url: double.url, oauth, secrets: { OAUTH_CLIENT_SECRET: "hush-hush-hush" } };
  expect((await ask(service, "POST", "", body)).status).toBe(200);
  await until(service, "ready");
  const file = (name: string) => readFileSync(join(service.folders.config, name), "utf8");
  expect(file("secrets.yaml")).toMatch(/hush-hush-hush[\s\S]*access-|access-[\s\S]*hush-hush-hush/);
  expect(file("agent-config.yaml")).not.toContain("hush");
  expect((await ask(service, "PATCH", "/bank", { oauth: { ...oauth, scopes: ["pay"] } })).text).not.toContain("hush");
  await until(service, "ready");
  expect((await ask(service, "DELETE", "/bank")).status).toBe(200);
  expect(file("secrets.yaml")).not.toMatch(/hush|access-/);
});

it.each([
  ["an address elsewhere", { redirect_uri: "https://evil.example/app/oauth/mcp" }, 422],
  ["another page of this service", { redirect_uri: "https://agent.example/app/other" }, 422],
  ["a page under our name", { redirect_uri: "https://agent.example/app/oauth/mcp/x" }, 422],
  ["a loopback address with a password", { redirect_uri: "http://a:b@127.0.0.1/callback" }, 422],
  ["a host that begins like loopback", { redirect_uri: "http://127.0.0.1.evil.example/callback" }, 422],
  ["no address", { redirect_uri: "nowhere" }, 422],
  ["nothing", {}, 422],
  ["the console at the public address", { redirect_uri: "https://agent.example/app/oauth/mcp" }, 200],
  ["a program of this machine", { redirect_uri: "http://localhost:4711/callback" }, 200],
])("takes for the redirect %s: %j is %i", async (_, body, status) => {
  await using service = await startTestService({
    config: `mcp: {enabled: true, servers: [{name: bank, url: "${double.url}"}]}\n`,
    env: { A2A_PUBLIC_URL: "https://agent.example" },
  });
  const answer = await ask(service, "POST", "/bank/auth", body);
  expect([answer.status, answer.text]).toEqual([status, expect.not.stringContaining("evil")]);
});

it("says what is wrong, and repeats nothing that was sent", async () => {
  await using service = await startTestService({
    config: `mcp: {enabled: true, servers: [{name: bank, url: "${double.url}"}, {name: local, command: nothing-here}]}\n`,
  });
  const finish = await ask(service, "POST", "/bank/auth/finish", { params: { state: "guessed-state", code: "c0de" } });
  expect([finish.status, finish.text]).toEqual([409, expect.stringContaining("begin it again")]);
  expect(finish.text).not.toMatch(/guessed|c0de/);
  expect((await ask(service, "POST", "/local/auth", { redirect_uri })).status).toBe(409);
  expect((await ask(service, "POST", "/unknown/auth", { redirect_uri })).status).toBe(404);
  for (const elsewhere of [
    "http://127.0.0.1:9/other",
    "http://127.0.0.1:9/callback?to=x",
    "https://evil.example/callback",
  ])
    expect((await ask(service, "POST", "/bank/auth", { redirect_uri: elsewhere })).status).toBe(422);
  double.behaviour.resource = { authorization_servers: ["http://10.0.0.1"] };
  const unreachable = await ask(service, "POST", "/bank/auth", { redirect_uri });
  expect(unreachable.status).toBe(502);
});

it("describes itself to authorization servers at an address of its own, where that is https", async () => {
  const document = async (env: Record<string, string>) => {
    await using service = await startTestService({ env });
    const response = await fetch(`${service.url}/.well-known/mcp-client.json`);
    return [response.status, await response.json()];
  };
  const address = "https://agent.example/.well-known/mcp-client.json";
  expect(await document({ A2A_PUBLIC_URL: "https://agent.example" })).toEqual([
    200,
    expect.objectContaining({
      ...{ client_id: address, token_endpoint_auth_method: "none" },
      redirect_uris: expect.arrayContaining(["https://agent.example/app/oauth/mcp"]),
    }),
  ]);
  expect((await document({}))[0]).toBe(404);
  expect((await document({ A2A_PUBLIC_URL: "http://agent.lan" }))[0]).toBe(404);
});

it("notes each step of a sign-in in the audit log, with the operator's name and without what was sent", async () => {
  const config = `identity: {operator: Ada}\nmcp: {enabled: true, servers: [{name: bank, url: "${double.url}"}]}\n`;
  await using service = await startTestService({ config });
  await until(service, "needs_auth");
  const token = await signIn(service);
  await ask(service, "POST", "/bank/auth/finish", { params: { state: "guessed-state", code: "c0de" } });
  expect((await ask(service, "DELETE", "/bank/auth")).status).toBe(200);
  const text = readFileSync(join(service.folders.home, "logs", "audit.jsonl"), "utf8");
  const line = { ts: expect.any(String), event: "mcp.sign_in", server: "bank", operator: "Ada" };
  expect(
    text
      .trim()
      .split("\n")
      .map((one): unknown => JSON.parse(one)),
  ).toEqual([
    { ...line, step: "begun" },
    { ...line, step: "granted" },
    { ...line, step: "failed", reason: "unknown_state" },
    { ...line, step: "signed_out" },
  ]);
  expect(text).not.toContain(token);
  expect(text).not.toMatch(/guessed|c0de|http/);
});

it("notes servers that are added, changed and removed, and tokens that are renewed or taken back without a person", async () => {
  double.behaviour.expiresIn = 1;
  await using service = await startTestService({ config: "identity: {operator: Ada}\n" });
  await ask(service, "POST", "", { name: "bank", url: double.url, headers: { "X-Region": "s3cret-region" } });
  await until(service, "needs_auth");
  const token = await signIn(service);
  await until(service, "ready");
  await service.wire.say("/call bank__pay {}");
  double.behaviour.token = () => ({ status: 400, body: { error: "invalid_grant" } });
  await service.wire.say("/call bank__pay {}");
  await ask(service, "PATCH", "/bank", { call_timeout: 5 });
  expect((await ask(service, "DELETE", "/bank")).status).toBe(200);
  const text = readFileSync(join(service.folders.home, "logs", "audit.jsonl"), "utf8");
  const lines = text
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one) as { readonly event?: string; readonly step?: string; readonly operator?: string });
  const steps = lines.flatMap(({ event, step, operator }) => (event === undefined ? [] : [[event, step, operator]]));
  const renewed = steps.filter(([, step]) => step === "renewed");
  expect(renewed.length).toBeGreaterThan(0);
  expect(renewed[0]).toEqual(["mcp.sign_in", "renewed", undefined]);
  expect(steps.filter(([, step]) => step !== "renewed")).toEqual([
    ["mcp.server", "added", "Ada"],
    ["mcp.sign_in", "begun", "Ada"],
    ["mcp.sign_in", "granted", "Ada"],
    ["mcp.sign_in", "ended", undefined],
    ["mcp.server", "changed", "Ada"],
    ["mcp.server", "removed", "Ada"],
  ]);
  expect([text.includes(token), text.includes("s3cret-region")]).toEqual([false, false]);
});

it("writes no line where the audit log is off", async () => {
  const config = `middleware: {audit: false}\nmcp: {enabled: true, servers: [{name: bank, url: "${double.url}"}]}\n`;
  await using service = await startTestService({ config });
  await until(service, "needs_auth");
  await signIn(service);
  expect(existsSync(join(service.folders.home, "logs", "audit.jsonl"))).toBe(false);
});
