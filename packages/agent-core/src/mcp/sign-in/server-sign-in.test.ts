/** Signing in to a server (M13; MC5): a real authorization server over sockets, a clock turned by hand. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEgress } from "../../egress/index.ts";
import { type AuthorizationDouble, authorizationDouble, manualClock } from "../../testing/index.ts";
import { type ConnectionError, ManagedServer, StartPlaces } from "../connection/index.ts";
import type { OauthSettings } from "../settings/index.ts";

import {
  authorizationOf,
  type Grant,
  Renewals,
  type ServerSignIn,
  type SignInSurroundings,
  signInOf,
} from "./index.ts";

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
const AUTOMATIC: OauthSettings = { scopes: [], grant: "authorization_code" };

interface Parts {
  readonly oauth?: OauthSettings;
  readonly secrets?: Record<string, string>;
  readonly clientDocument?: string;
  readonly headers?: Record<string, string>;
}

function signIn({ oauth, secrets = {}, clientDocument, headers = {} }: Parts = {}) {
  const clock = manualClock(1_000_000);
  const saved: (Grant | undefined)[] = [];
  const renewals = new Renewals();
  const unasked: string[] = [];
  let beforeSave = async (): Promise<void> => {};
  const surroundings: SignInSurroundings = {
    grants: {
      read: () => saved.at(-1),
      async save(_, grant) {
        await beforeSave();
        saved.push(grant);
      },
    },
    egressFor: (url) => createEgress({ allowedHosts: [new URL(url).hostname] }),
    clientDocument: () => clientDocument,
    renewalsOf: () => renewals,
    listeners: new Set([(server, step) => void unasked.push(`${server} ${step}`)]),
  };
  const target = { transport: "streamable_http", url: double.url, headers } as const;
  const placeholders = { secrets, inheritEnv: [], environment: {}, isForbidden: () => true };
  const settings = { name: "bank", target, ...(oauth && { oauth }) };
  const make = () => signInOf(settings, placeholders, { ...surroundings, clock });
  const made = make();
  const onSave = (act: () => Promise<void>) => (beforeSave = act);
  return { clock, saved, signIn: made!, made, unasked, onSave, again: () => make()! };
}

async function signedIn(parts: Parts = {}) {
  const all = signIn(parts);
  const { url } = await all.signIn.begin(REDIRECT);
  await all.signIn.finish(double.approve(url));
  return all;
}

function connect(signIn: ServerSignIn, clock = manualClock()) {
  const server = new ManagedServer({
    ...{ name: "bank", clock, places: new StartPlaces(), timeoutMs: 5_000, version: "1", elicitation: false },
    source: { egressFor: ({ url }) => createEgress({ allowedHosts: [new URL(url).hostname] }) },
    authorization: authorizationOf(signIn),
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

describe("a sign-in", () => {
  test("finds the authorization server, registers, and ends with tokens for this resource, by PKCE", async () => {
    const { signIn: one, saved } = signIn();
    expect(one.state).toBe("none");
    const { url, state } = await one.begin(REDIRECT);
    const asked = new URL(url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ response_type: "code", client_id: "registered", redirect_uri: REDIRECT, code_challenge_method: "S256" },
      ...{ resource: double.url, state },
    });
    expect(state.length).toBeGreaterThan(30);
    await one.finish(double.approve(url));
    expect(saved.at(-1)).toMatchObject({ issuer: double.base, resource: double.url, clientId: "registered" });
    expect(double.tokenRequests[0]?.get("resource")).toBe(double.url);
    expect([one.state, await one.token(), one.endsAt]).toEqual(["ok", [...double.valid][0], undefined]);
  });

  test("uses the configured client, else the document at our address, where it is taken", async () => {
    const configured = signIn({ oauth: { ...AUTOMATIC, clientId: "mine", scopes: ["a", "b"] } });
    const first = new URL((await configured.signIn.begin(REDIRECT)).url).searchParams;
    expect([first.get("client_id"), first.get("scope")]).toEqual(["mine", "a b"]);
    double.behaviour.metadata = { client_id_metadata_document_supported: true };
    const document = "https://agent.example/.well-known/mcp-client.json";
    const described = signIn({ clientDocument: document });
    expect(new URL((await described.signIn.begin(REDIRECT)).url).searchParams.get("client_id")).toBe(document);
    expect(double.seen).not.toContain("POST /register");
    double.behaviour.metadata = { registration_endpoint: undefined };
    await expect(signIn().signIn.begin(REDIRECT)).rejects.toMatchObject({ code: "not_possible" });
  });

  test("takes an answer once, within ten minutes, from the issuer that was asked", async () => {
    const { signIn: one, clock, saved } = signIn();
    const first = double.approve((await one.begin(REDIRECT)).url);
    await one.finish(first);
    await expect(one.finish(first)).rejects.toMatchObject({ code: "unknown_state" });
    const late = double.approve((await one.begin(REDIRECT)).url);
    await clock.advance(600_000);
    await expect(one.finish(late)).rejects.toMatchObject({ code: "unknown_state" });
    const before = saved.length;
    for (const wrong of [{ iss: "https://other.example" }, { iss: undefined }]) {
      const { iss: _, ...answer } = double.approve((await one.begin(REDIRECT)).url);
      const sent = wrong.iss === undefined ? answer : { ...answer, iss: wrong.iss };
      await expect(one.finish(sent as Record<string, string>)).rejects.toMatchObject({ code: "refused" });
    }
    const { state } = double.approve((await one.begin(REDIRECT)).url);
    const denied = { state: state!, iss: double.base, error: "access_denied" };
    await expect(one.finish(denied)).rejects.toThrow("its sign-in page answered access_denied");
    await expect(one.finish({ state: "guessed", code: "x" })).rejects.toMatchObject({ code: "unknown_state" });
    expect(saved).toHaveLength(before);
  });

  test.each<[string, () => void]>([
    ["another resource", () => (double.behaviour.resource = { resource: "https://other.example/mcp" })],
    ["another path of it", () => (double.behaviour.resource = { resource: `${double.base}/mc` })],
    ["another issuer", () => (double.behaviour.metadata = { issuer: "https://other.example" })],
    ["nothing of PKCE", () => (double.behaviour.metadata = { code_challenge_methods_supported: undefined })],
    ["no S256", () => (double.behaviour.metadata = { code_challenge_methods_supported: ["plain"] })],
    ["a page that is none", () => (double.behaviour.metadata = { authorization_endpoint: "javascript:alert(1)" })],
    [
      "a page that others read along",
      () => (double.behaviour.metadata = { authorization_endpoint: "http://login.example" }),
    ],
    [
      "a registration that others read along",
      () => (double.behaviour.metadata = { registration_endpoint: "http://login.example" }),
    ],
    ["private addresses", () => (double.behaviour.resource = { authorization_servers: ["http://10.0.0.1"] })],
  ])("is refused where the metadata says %s", async (_, spoil) => {
    spoil();
    const { signIn: one, saved } = signIn();
    await expect(one.begin(REDIRECT)).rejects.toMatchObject({ name: "SignInError" });
    expect([saved, double.tokenRequests]).toEqual([[], []]);
  });
});

describe("a token", () => {
  test("is renewed a minute ahead, once for twelve that need it, and saved before it is used", async () => {
    double.behaviour.expiresIn = 100;
    const { signIn: one, clock, saved, onSave } = await signedIn();
    const first = await one.token();
    await clock.advance(39_000);
    expect(await one.token()).toBe(first);
    await clock.advance(2_000);
    let isSaved = false;
    onSave(async () => {
      await Promise.resolve();
      isSaved = true;
    });
    const tokens = await Promise.all(Array.from({ length: 12 }, () => one.token()));
    expect([new Set(tokens).size, tokens[0] === first, isSaved]).toEqual([1, false, true]);
    expect(double.tokenRequests.filter((body) => body.get("grant_type") === "refresh_token")).toHaveLength(1);
    expect(saved.at(-1)?.accessToken).toBe(tokens[0]);
    await clock.advance(200_000);
    expect((await Promise.all(Array.from({ length: 12 }, () => one.token())))[0]).not.toBe(tokens[0]);
    expect(one.state).toBe("ok");
  });

  test("is renewed once for an old and a new connection, and is not lost where it could not be stored before the new one", async () => {
    double.behaviour.expiresIn = 100;
    const { signIn: old, clock, saved, onSave, again, unasked } = await signedIn();
    const refreshes = () => double.tokenRequests.filter((body) => body.get("grant_type") === "refresh_token").length;
    await clock.advance(50_000);
    const restarted = again();
    const tokens = await Promise.all([old.token(), restarted.token(), old.token()]);
    expect([new Set(tokens).size, refreshes(), unasked]).toEqual([1, 1, ["bank renewed"]]);
    await clock.advance(50_000);
    onSave(() => Promise.reject(new Error("the disk is full")));
    await restarted.token();
    expect([refreshes(), saved.at(-1)?.accessToken]).toEqual([2, tokens[0]]);
    onSave(() => Promise.resolve());
    const fresh = await again().token();
    expect([fresh === tokens[0], double.valid.has(fresh ?? ""), refreshes()]).toEqual([false, true, 2]);
    expect(saved.at(-1)?.accessToken).toBe(fresh);
    await clock.advance(200_000);
    double.behaviour.token = () => ({ status: 400, body: { error: "invalid_grant" } });
    await again().token();
    expect(unasked).toEqual(["bank renewed", "bank renewed", "bank ended"]);
  });

  test("that holds is used on while its server cannot be reached; what was taken back is forgotten", async () => {
    double.behaviour.expiresIn = 100;
    const { signIn: one, clock, saved } = await signedIn();
    const first = await one.token();
    await clock.advance(50_000);
    double.behaviour.token = () => ({ status: 503, body: { error: "temporarily_unavailable" } });
    expect(await one.token()).toBe(first);
    await clock.advance(60_000);
    await expect(one.token()).rejects.toMatchObject({ code: "unreachable" });
    double.behaviour.token = () => ({ status: 400, body: { error: "invalid_grant" } });
    expect([await one.token(), saved.at(-1), one.state]).toEqual([undefined, undefined, "none"]);
  });

  test("that is over is kept while the authorization server is away: an outage ends no sign-in", async () => {
    double.behaviour.expiresIn = 100;
    const { signIn: one, clock, saved } = await signedIn();
    await clock.advance(200_000);
    double.behaviour.away = true;
    await expect(one.token()).rejects.toMatchObject({ code: "unreachable" });
    double.behaviour.away = false;
    double.behaviour.token = () => ({ status: 400, body: { error: "invalid_request" } });
    await expect(one.token()).rejects.toMatchObject({ code: "refused" });
    delete double.behaviour.token;
    expect(await one.token()).toBe([...double.valid].at(-1));
    expect(saved).toHaveLength(2);
  });

  test("that is renewed while the operator signs out is not kept", async () => {
    double.behaviour.expiresIn = 100;
    const { signIn: one, clock, saved } = await signedIn();
    await clock.advance(50_000);
    double.behaviour.token = () => {
      saved.push(undefined);
      return { status: 200, body: { access_token: "late", token_type: "Bearer", refresh_token: "late-too" } };
    };
    expect(await one.token()).toBeUndefined();
    expect([saved.at(-1), one.state]).toEqual([undefined, "none"]);
  });

  test("is of the address, and of the client, that it was made for (MC5)", async () => {
    const { saved } = await signedIn();
    const grant = saved.at(-1)!;
    const other = signIn({ oauth: { ...AUTOMATIC, clientId: "mine" } });
    other.saved.push(grant);
    expect([other.signIn.state, await other.signIn.token()]).toEqual(["none", undefined]);
    const moved = signIn();
    moved.saved.push({ ...grant, resource: "https://elsewhere.example/mcp" });
    expect(await moved.signIn.token()).toBeUndefined();
  });

  test("of a program without a person is asked for with the client's secret, and again when it is over", async () => {
    const oauth: OauthSettings = { grant: "client_credentials", clientId: "robot", scopes: ["pay"] };
    double.behaviour.expiresIn = 100;
    const { signIn: one, clock } = signIn({ oauth, secrets: { OAUTH_CLIENT_SECRET: "hush" } });
    const first = await one.token();
    await clock.advance(50_000);
    expect(await one.token()).not.toBe(first);
    expect(double.tokenRequests[0]?.get("scope")).toBe("pay");
    await expect(one.begin(REDIRECT)).rejects.toMatchObject({ code: "not_possible" });
  });

  test("ends with the sign-out, on both sides", async () => {
    const { signIn: one, saved } = await signedIn();
    const refresh = saved.at(-1)?.refreshToken;
    await one.signOut();
    expect([saved.at(-1), one.state, double.seen.at(-1)]).toEqual([undefined, "none", "POST /revoke"]);
    expect(refresh).toBeDefined();
    expect(double.seen.filter((one) => one === "POST /revoke")).toHaveLength(2);
    expect([...double.valid]).toEqual([]);
  });
});

test("there is none for a server that is sent a credential", () => {
  expect(signIn({ headers: { Authorization: "Bearer x" } }).made).toBeUndefined();
});

describe("a connection", () => {
  test("needs a sign-in, and says so at once to each call; then it is connected with the token", async () => {
    const { signIn: one } = signIn();
    const first = connect(one);
    await expect(first.connection(pay().signal)).rejects.toThrow(/needs a sign-in/);
    const { url } = await one.begin(REDIRECT);
    await one.finish(double.approve(url));
    const second = connect(one);
    const connection = await second.connection(pay().signal);
    expect(await connection.callTool(pay())).toMatchObject({ content: [{ text: "paid" }] });
  });

  test("sends a call that was refused again with a renewed token, and carries it out once", async () => {
    const { signIn: one } = await signedIn();
    const connection = await connect(one).connection(pay().signal);
    double.valid.clear();
    const answers = await Promise.all(Array.from({ length: 12 }, () => connection.callTool(pay())));
    expect([answers.length, double.paid]).toEqual([12, 12]);
    expect(double.tokenRequests.filter((body) => body.get("grant_type") === "refresh_token")).toHaveLength(1);
    double.valid.clear();
    double.behaviour.token = () => ({ status: 400, body: { error: "invalid_grant" } });
    const refused = await connection.callTool(pay()).catch((error: ConnectionError) => error);
    expect(refused).toMatchObject({ code: "auth" });
    expect([double.paid, one.state]).toEqual([12, "none"]);
  });

  test("does not send a call again after a 401 that names no sign-in: it may be what the tool met", async () => {
    const { signIn: one } = await signedIn();
    const connection = await connect(one).connection(pay().signal);
    double.valid.clear();
    double.behaviour.bare = true;
    await expect(connection.callTool(pay())).rejects.toThrow("not repeated");
    expect(double.paid).toBe(0);
    await connection.callTool(pay());
    expect(double.paid).toBe(1);
  });

  test("stays open while no token can be had, and calls go on once there is one", async () => {
    double.behaviour.expiresIn = 100;
    const { signIn: one, clock } = await signedIn();
    const connection = await connect(one).connection(pay().signal);
    await clock.advance(200_000);
    double.behaviour.away = true;
    await expect(connection.callTool(pay())).rejects.toMatchObject({ code: "server" });
    double.behaviour.away = false;
    expect(await connection.callTool(pay())).toMatchObject({ content: [{ text: "paid" }] });
    expect(connection.isClosed).toBe(false);
  });
});
