import type { Route } from "../../access/index.ts";

/** `GET /metrics`, for everyone (B27), in the Prometheus text format. */
export function metricsRoute(render: () => string): Route {
  return {
    method: "GET",
    path: "/metrics",
    tier: "public",
    summary: "Returns the metrics in the Prometheus text format",
    handler: () =>
      new Response(render(), {
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
      }),
  };
}
