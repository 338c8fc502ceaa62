import { describe, expect, it } from "vitest";
import { callers } from "../../access/index.ts";
import { type HealthState, healthRoute } from "./health-route.ts";

const state: HealthState = {
  ready: true,
  draining: false,
  setupComplete: true,
  ui: "console",
  model: "protolabs/x",
  store: "ok",
};

describe("GET /healthz", () => {
  it.each([
    [
      {},
      200,
      { ok: true, graph_compiled: true, setup_complete: true, ui: "console", model: "protolabs/x", store: "ok" },
    ],
    [{ ready: false }, 503, { ok: false, graph_compiled: false }],
    [{ draining: true }, 503, { ok: false, graph_compiled: true }],
    [{ store: "full" as const }, 200, { ok: true, store: "full" }],
    [{ store: "failing" as const }, 200, { ok: true, store: "failing" }],
    [{ store: "lost" as const }, 503, { ok: false, store: "lost" }],
    [{ setupComplete: false, ui: "none" as const }, 200, { ok: true, setup_complete: false, ui: "none" }],
  ])("with %j answers %i", async (change, status, body) => {
    const route = healthRoute(() => ({ ...state, ...change }));
    const nothing = () => undefined;
    const refuseDecision = async () => undefined;
    const call = {
      caller: callers.anonymous,
      param: nothing,
      verifyOrigin: nothing,
      openStream: nothing,
      refuseDecision,
    };
    const answer = await route.handler(new Request("http://localhost/healthz"), call);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject(body);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(route.tier).toBe("public");
  });
});
