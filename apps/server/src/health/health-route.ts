import { jsonResponse, type Route } from "../http/index.ts";

/** What the liveness probe tells. Read anew for each request. */
export interface HealthState {
  /** The engine is composed and its journal reconciled. */
  readonly ready: boolean;
  /** The service was told to stop and finishes what runs. */
  readonly draining: boolean;
  readonly setupComplete: boolean;
  readonly ui: "console" | "none";
  /** The lead model's name, without any address or key. */
  readonly model: string;
}

/**
 * `GET /healthz`, for everyone: `{ok, graph_compiled, setup_complete, ui, model}` with 200, or with 503 until the service
 * is ready and again while it drains, so that whoever balances load looks elsewhere (document 1, Authentication 6).
 */
export function healthRoute(state: () => HealthState): Route {
  return {
    method: "GET",
    path: "/healthz",
    tier: "public",
    summary: "Says whether the service is ready",
    handler: () => {
      const { ready, draining, setupComplete, ui, model } = state();
      const ok = ready && !draining;
      const body = { ok, graph_compiled: ready, setup_complete: setupComplete, ui, model };
      return jsonResponse(body, ok ? 200 : 503, ok ? undefined : { "retry-after": "1" });
    },
  };
}
