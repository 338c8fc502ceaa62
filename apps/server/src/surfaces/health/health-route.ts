import type { StoreState } from "@agent-service/agent-core/host";
import { jsonResponse, type Route } from "../../access/index.ts";

/** The content of the liveness probe. Read again for each request. */
export interface HealthState {
  /** The engine is composed and its journal reconciled. */
  readonly ready: boolean;
  /** The service is stopping and finishes running turns. */
  readonly draining: boolean;
  readonly setupComplete: boolean;
  readonly ui: "console" | "none";
  /** The lead model's name, without any address or key. */
  readonly model: string;
  readonly store: StoreState;
}

/**
 * `GET /healthz`, for everyone: `{ok, graph_compiled, setup_complete, ui, model, store}` with 200, or with 503 until the
 * service is ready and again while it drains or its store is lost, so that load balancers use another instance
 * (B27). With a full store it stays 200: reads work, and a restart frees no space.
 */
export function healthRoute(state: () => HealthState): Route {
  return {
    method: "GET",
    path: "/healthz",
    tier: "public",
    summary: "Reports whether the service is ready",
    handler: () => {
      const { ready, draining, setupComplete, ui, model, store } = state();
      const ok = ready && !draining && store !== "lost";
      const body = { ok, graph_compiled: ready, setup_complete: setupComplete, ui, model, store };
      return jsonResponse(body, ok ? 200 : 503, ok ? undefined : { "retry-after": "1" });
    },
  };
}
