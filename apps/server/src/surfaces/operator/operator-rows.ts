import type { OperatorRoute } from "@agent-service/operator-api";
import type { Route } from "../../access/index.ts";

/** The operator API's rows as this server's route table has them: path parameters in braces become the router's. */
export function operatorRows(routes: readonly Omit<OperatorRoute, "definition">[]): readonly Route[] {
  return routes.map(({ method, path, tier, summary, streaming, decides, bodyBytes, handle }) => ({
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    tier,
    summary,
    streaming,
    decides,
    ...(bodyBytes !== undefined && { bodyLimit: bodyBytes }),
    handler: (request, call) =>
      handle({
        request,
        caller: call.caller.class,
        param: (name) => call.param(name),
        refuseDecision: () => call.refuseDecision(),
      }),
  }));
}
