/** Tokens that may do too little, that cannot be stored, and clients that say what they are (M13; MC5). */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEgress } from "../../egress/index.ts";
import { type AuthorizationDouble, authorizationDouble, manualClock } from "../../testing/index.ts";
import { ManagedServer, StartPlaces } from "../connection/index.ts";
import type { OauthSettings } from "../settings/index.ts";
import { authorizationOf, type Grant, type ServerSignIn, signInOf } from "./index.ts";

let double: AuthorizationDouble;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  double = await authorizationDouble();
  closing.push(() => double.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const REDIRECT = "http://127.0.0.1:9/callback";
const egressFor = (url: string) => createEgress({ allowedHosts: [new URL(url).hostname] });

function signIn(oauth?: OauthSettings, saved: (Grant | undefined)[] = []) {
  const clock = manualClock(1_000_000);
  const store = { fails: false };
  const grants = {
    read: () => saved.at(-1),
    async save(_: string, grant: Grant | undefined) {
      if (store.fails) throw new Error("the disk is full");
      saved.push(grant);
    },
  };
  const target = { transport: "streamable_http", url: double.url, headers: {} } as const;
  const secrets = { OAUTH_CLIENT_SECRET: "hush" };
  const placeholders = { secrets, inheritEnv: [], environment: {}, isForbidden: () => true };
  const surroundings = { grants, egressFor, clientDocument: () => undefined, clock };
  return {
    clock,
    saved,
    store,
    signIn: signInOf({ name: "bank", target, ...(oauth && { oauth }) }, placeholders, surroundings)!,
  };
}

async function scopeAsked(one: ServerSignIn): Promise<string | null> {
  const { url } = await one.begin(REDIRECT);
  await one.finish(double.approve(url));
  return new URL(url).searchParams.get("scope");
}

function connect(one: ServerSignIn) {
  const server = new ManagedServer({
    ...{
      name: "bank",
      clock: manualClock(),
      places: new StartPlaces(),
      timeoutMs: 5_000,
      version: "1",
      elicitation: false,
    },
    source: { egressFor: ({ url }) => egressFor(url) },
    authorization: authorizationOf(one),
    target: () => ({ ok: true, target: { transport: "streamable_http", url: double.url, headers: {} } }),
    redact: (line) => line,
    onShown: async () => {},
    onChanged: () => {},
    onElicitation: async () => ({ action: "cancel" }),
  });
  closing.push(() => server.stop());
  return server;
}
const pay = () => ({ name: "pay", args: {}, inputSchema: { type: "object" }, signal: new AbortController().signal });

test("a call that its token may not make ends alone, and the next sign-in asks for its right beside those granted", async () => {
  double.behaviour.resource = { scopes_supported: ["read"] };
  double.behaviour.wants = "pay";
  const { signIn: one } = signIn();
  expect(await scopeAsked(one)).toBe("read");
  const server = connect(one);
  const connection = await server.connection(pay().signal);
  await expect(connection.callTool(pay())).rejects.toMatchObject({ code: "server", message: /wants more rights/ });
  expect([double.paid, connection.isClosed, server.state, one.isLacking]).toEqual([0, false, "ready", true]);
  expect((await scopeAsked(one))?.split(" ").toSorted()).toEqual(["pay", "read"]);
  expect(one.isLacking).toBe(false);
  await connection.callTool(pay());
  expect(double.paid).toBe(1);
});

test("a right that a call wanted is asked for by the next sign-in after a restart too, and forgotten with that", async () => {
  double.behaviour.resource = { scopes_supported: ["read"] };
  double.behaviour.wants = "pay";
  const { signIn: one, saved } = signIn();
  await scopeAsked(one);
  const connection = await connect(one).connection(pay().signal);
  await expect(connection.callTool(pay())).rejects.toMatchObject({ code: "server" });
  const { signIn: restarted } = signIn(undefined, saved);
  expect([restarted.state, restarted.isLacking]).toEqual(["ok", true]);
  expect((await scopeAsked(restarted))?.split(" ").toSorted()).toEqual(["pay", "read"]);
  expect([restarted.isLacking, signIn(undefined, saved).signIn.isLacking]).toEqual([false, false]);
});

test("a program without a person asks for the right by itself, once", async () => {
  double.behaviour.wants = "pay";
  const { signIn: one } = signIn({ grant: "client_credentials", clientId: "robot", scopes: ["read"] });
  const connection = await connect(one).connection(pay().signal);
  await connection.callTool(pay());
  expect([double.paid, one.isLacking]).toEqual([1, false]);
  expect(double.tokenRequests.map((body) => body.get("scope"))).toEqual(["read", "read pay"]);
  double.behaviour.wants = "everything";
  double.behaviour.token = () => ({ status: 400, body: { error: "invalid_scope" } });
  await expect(connection.callTool(pay())).rejects.toMatchObject({ code: "server" });
  expect(double.paid).toBe(1);
});

test("tokens that can be renewed are asked for where the server has a scope for that", async () => {
  double.behaviour.resource = { scopes_supported: ["read"] };
  double.behaviour.metadata = { scopes_supported: ["read", "offline_access"] };
  expect(await scopeAsked(signIn().signIn)).toBe("read offline_access");
  const configured = signIn({ grant: "authorization_code", clientId: "mine", scopes: ["read"] });
  expect(await scopeAsked(configured.signIn)).toBe("read");
});

test("a renewed token that cannot be stored is not used and not lost: it is stored before the next request", async () => {
  double.behaviour.expiresIn = 100;
  const { signIn: one, clock, saved, store } = signIn();
  await scopeAsked(one);
  const first = await one.token();
  await clock.advance(50_000);
  store.fails = true;
  expect(await one.token()).toBe(first);
  await clock.advance(60_000);
  await expect(one.token()).rejects.toMatchObject({
    code: "unreachable",
    message: "its renewed token could not be stored",
  });
  store.fails = false;
  const second = await one.token();
  expect([second === first, saved.at(-1)?.accessToken, one.state]).toEqual([false, second, "ok"]);
  expect(double.tokenRequests.filter((body) => body.get("grant_type") === "refresh_token")).toHaveLength(1);
  await clock.advance(100_000);
  expect(await one.token()).not.toBe(second);
});

test.each([
  [REDIRECT, "native"],
  ["https://agent.example/app/oauth/mcp", "web"],
])("a client that is registered for %s says that it is %s", async (redirect, type) => {
  const { signIn: one } = signIn();
  await one.begin(redirect);
  expect(JSON.parse(double.registrations[0] ?? "{}")).toMatchObject({ application_type: type });
});
