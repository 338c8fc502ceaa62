/** Tokens of subscriptions against a token endpoint of this machine (R9; the numbers are token-source.ts's). */
import { afterEach, describe, expect, it } from "vitest";
import { errorReply } from "../../testing/gateway-replies.ts";
import { type GatewayReply, type GatewayScript, localGateway } from "../../testing/local-gateway.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { messagesAnswer } from "../../testing/subscription-replies.ts";
import { oauthSubscriptionA, type SubscriptionTokens, TokenSource, type TokenSourceOptions } from "./index.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const HOUR = 3_600_000;
const fresh = (access: string, refresh?: string): GatewayReply => ({
  headers: { "content-type": "application/json" },
  steps: [JSON.stringify({ access_token: access, expires_in: 3600, ...(refresh && { refresh_token: refresh }) })],
});
const live = new AbortController().signal;

async function source(
  script: GatewayScript,
  tokens: Partial<SubscriptionTokens> = {},
  more: Partial<TokenSourceOptions> = {},
) {
  const server = await localGateway(script);
  ends.push(() => server.close());
  const clock = manualClock();
  const saved: SubscriptionTokens[] = [];
  const warnings: string[] = [];
  const made = new TokenSource({
    name: "sub",
    tokens: { accessToken: "old-access", refreshToken: "old-refresh", expiresAt: clock.now() + HOUR, ...tokens },
    tokenEndpoint: `${server.baseUrl}/token`,
    clientId: "client 1",
    clock,
    save: async (next) => void saved.push(next),
    warn: (message) => void warnings.push(message),
    ...more,
  });
  return { server, clock, source: made, saved, warnings };
}

describe("a token", () => {
  it("is used while it is good, and renewed before it expires (3)", async () => {
    const { server, clock, source: tokens, saved } = await source(fresh("new-access", "new-refresh"));
    expect(await tokens.token(live)).toBe("old-access");
    await clock.advance(HOUR - 200_000);
    expect(await tokens.token(live)).toBe("new-access");
    expect(new URLSearchParams(server.requests[0]?.body as string)).toEqual(
      new URLSearchParams({ grant_type: "refresh_token", refresh_token: "old-refresh", client_id: "client 1" }),
    );
    expect(saved).toEqual([{ accessToken: "new-access", refreshToken: "new-refresh", expiresAt: clock.now() + HOUR }]);
    expect(await tokens.token(live)).toBe("new-access");
    expect(server.requests).toHaveLength(1);
  });

  it("is renewed once for all who need it, whoever leaves (1)", async () => {
    const gate = Promise.withResolvers<void>();
    const { server, source: tokens } = await source({ ...fresh("new"), before: gate.promise }, { accessToken: "" });
    const abort = new AbortController();
    const left = tokens.token(abort.signal);
    const others = Array.from({ length: 20 }, () => tokens.token(live));
    await server.untilRequest(1);
    abort.abort("left");
    await expect(left).rejects.toBe("left");
    gate.resolve();
    expect(new Set(await Promise.all(others))).toEqual(new Set(["new"]));
    expect(server.requests).toHaveLength(1);
    expect(tokens.tokens.refreshToken).toBe("old-refresh");
  });

  it("is saved before it is used, and counts when that fails (2)", async () => {
    const order: string[] = [];
    const save = async (): Promise<void> => void order.push("saved");
    const one = await source(fresh("new"), { accessToken: "" }, { save });
    await one.source.token(live).then(() => order.push("used"));
    expect(order).toEqual(["saved", "used"]);
    const broken = () => Promise.reject(new Error("EACCES: new"));
    const two = await source(fresh("new"), { accessToken: "" }, { save: broken });
    expect(await two.source.token(live)).toBe("new");
    expect(two.warnings).toEqual([expect.stringContaining("could not be saved")]);
  });

  it("that is still good outlives a refresh that fails (3)", async () => {
    const { clock, source: tokens, warnings } = await source(errorReply(503, "later"));
    await clock.advance(HOUR - 200_000);
    expect(await tokens.token(live)).toBe("old-access");
    expect(warnings).toEqual([expect.stringContaining("still good")]);
    await clock.advance(200_000);
    await expect(tokens.token(live)).rejects.toMatchObject({ code: "upstream", retryable: true });
  });

  it.each<[string, GatewayReply, object]>([
    ["a refusal", errorReply(400, "invalid_grant old-refresh"), { code: "unauthorized", retryable: false }],
    ["an answer without a token", { steps: ["{}"] }, { code: "unauthorized" }],
    ["a token no header can carry", fresh("a\nb"), { code: "unauthorized" }],
    ["a page", { steps: ["<html>"] }, { code: "unauthorized" }],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" }, steps: [] }, { code: "unauthorized" }],
    ["a limit", errorReply(429, "slow"), { code: "upstream", retryable: true }],
    ["a cut", { steps: [{ do: "cut" }] }, { code: "network", retryable: true }],
    ["too much", { steps: ["x".repeat(70_000)] }, { code: "network" }],
  ])("is not renewed by %s, and no error holds one (4)", async (_, reply, expected) => {
    const { server, source: tokens, saved } = await source(reply, { accessToken: "" });
    const error: unknown = await tokens.token(live).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(expected);
    expect(String(error)).not.toMatch(/old-refresh|old-access/);
    expect(saved).toEqual([]);
    // The next one asks again.
    server.answer(fresh("new"));
    expect(await tokens.token(live)).toBe("new");
  });

  it("has to be entered first", async () => {
    const none = await source(fresh("new"), { accessToken: "", refreshToken: "" });
    await expect(none.source.token(live)).rejects.toMatchObject({ code: "no_credential" });
    const empty = await source(fresh("new"), { accessToken: "" }, { tokenEndpoint: "" });
    await expect(empty.source.token(live)).rejects.toMatchObject({ code: "no_credential" });
  });
});

describe("a call whose token the provider refuses", () => {
  const server =
    (good: string): GatewayScript =>
    (request) =>
      request.path.endsWith("/token")
        ? fresh("new-access")
        : request.headers.authorization === `Bearer ${good}`
          ? messagesAnswer({ text: ["Hi"] })
          : errorReply(401, "expired");

  async function calls(script: GatewayScript, count: number) {
    const made = await source(script);
    const model = oauthSubscriptionA({
      name: "sub",
      tokens: made.source,
      baseUrl: made.server.baseUrl,
      clock: made.clock,
    });
    ends.push(() => model.close());
    const ask = async (): Promise<string> => {
      let text = "";
      for await (const event of model.stream({ model: "m", messages: [], tools: [], settings: {} }, { signal: live }))
        if (event.kind === "text") text += event.text;
      return text;
    };
    const outcomes = await Promise.allSettled(Array.from({ length: count }, ask));
    return { outcomes, refreshes: made.server.requests.filter(({ path }) => path.endsWith("/token")).length };
  }

  it("is made once more with a renewed one; many at once renew once", async () => {
    const { outcomes, refreshes } = await calls(server("new-access"), 8);
    expect(outcomes.map((one) => one.status === "fulfilled" && one.value)).toEqual(
      Array.from({ length: 8 }, () => "Hi"),
    );
    expect(refreshes).toBe(1);
  });

  it("fails when the renewed one is refused too", async () => {
    const { outcomes, refreshes } = await calls(server("another"), 1);
    expect(outcomes[0]).toMatchObject({ reason: { code: "unauthorized", status: 401 } });
    expect(refreshes).toBe(1);
  });
});
