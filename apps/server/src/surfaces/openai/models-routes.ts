/** The list of models (V1): the agent by its name, then the favourites of B52 `model.favorites`. */
import type { CallerClass } from "@agent-service/agent-core/host";
import { jsonResponse, type Route } from "../../access/index.ts";
import { ApiError } from "./api-error.ts";

export interface ListedModels {
  /** `AGENT_NAME`. */
  readonly agent: string;
  /** Those a caller of this class may name, in their order, as they can be used in a request's `model`. */
  readonly favorites: (caller: CallerClass) => readonly string[];
  /** Epoch seconds; the same for all. */
  readonly created: number;
}

export function modelsRoutes({ agent, favorites, created }: ListedModels): Route[] {
  const ids = (caller: CallerClass): string[] => [...new Set([agent, ...favorites(caller)])];
  const model = (id: string) => ({ id, object: "model", created, owned_by: "agent-service" });
  return [
    {
      method: "GET",
      path: "/v1/models",
      tier: "agent",
      summary: "The agent and its favourite models, as chat clients list them",
      handler: (_, { caller }) => jsonResponse({ object: "list", data: ids(caller.class).map(model) }),
    },
    {
      method: "GET",
      // Names of models may contain slashes.
      path: "/v1/models/:id{.+}",
      tier: "agent",
      summary: "One of them",
      handler: (_, call) => {
        const id = call.param("id") ?? "";
        if (ids(call.caller.class).includes(id)) return jsonResponse(model(id));
        return new ApiError(404, `There is no model ${JSON.stringify(id.slice(0, 200))} in the list.`, {
          param: "model",
          code: "model_not_found",
        }).response();
      },
    },
  ];
}
