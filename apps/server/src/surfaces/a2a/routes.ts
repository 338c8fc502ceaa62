/** The A2A rows of the route table (A1 to A3, S2): cards, JSON-RPC, HTTP+JSON and its aliases. */
import { CARD_PATHS, cardFor, cardResponse, hybridCard, V1_CARD_PATH, v1Card } from "@agent-service/a2a-protocol";
import { type Caller, createA2AEndpoints, type RestEndpoint } from "@agent-service/a2a-protocol/server";
import { featureKey, type Webhooks } from "@agent-service/agent-core/host";
import type { AccessControl, Method, Route, RouteCall } from "../../access/index.ts";
import { mayUseModel } from "../../model-layer/index.ts";
import type { RunningHost } from "../../service-feature/index.ts";
import { derive } from "../../settings/index.ts";
import { cardInput, servedSkills } from "./agent-card.ts";
import { coreExecutor } from "./core-executor.ts";
import { listCoreTasks } from "./list-tasks.ts";

const webhooks = featureKey<"webhooks", Webhooks>("webhooks");

export interface A2ARouteParts {
  readonly host: RunningHost;
  readonly access: Pick<AccessControl, "origins">;
  /** Read per request: the address the card advertises. */
  readonly state: { readonly address: string };
}

export function a2aRoutes({ host, access, state }: A2ARouteParts): Route[] {
  const { settings, core, logging, keepAliveMs } = host;
  const skills = derive(
    () => [settings.a2a],
    (a2a) => servedSkills({ a2a }),
  );
  const current = derive(
    () => [state.address, settings.identity, settings.a2a, settings.credentials],
    (address, ..._said) => ({ card: hybridCard(cardInput(settings), address), lastModified: Date.now() }),
  );
  const currentCard = () => current().card;
  const { jsonRpc, rest } = createA2AEndpoints({
    executor: {
      ...coreExecutor({
        tasks: core.service,
        webhooks: host.opened(webhooks),
        skills,
        mayUseModel: mayUseModel(settings),
      }),
      list: (query, call) => listCoreTasks(core, query, call),
    },
    card: currentCard,
    // By the rule of the other paths, so that listed origins and our own behind a proxy are allowed here too (S4).
    isCrossSite: ({ method, headers }) =>
      access.origins.refuseCrossSite(method, Object.fromEntries(headers)) !== undefined,
    onError: (error, errorId) => logging.logger.error({ err: error, error_id: errorId }, "an A2A request failed"),
    ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
  });
  return [
    {
      method: "GET",
      path: CARD_PATHS,
      tier: "public",
      summary: "Describes this agent and its endpoints",
      handler: (request) => cardResponse(request, cardFor(request, currentCard()), current()),
    },
    {
      method: "GET",
      path: `/a2a${V1_CARD_PATH}`,
      tier: "public",
      summary: "The same in the form of A2A 1.0",
      handler: (request) => cardResponse(request, v1Card(currentCard()), current()),
    },
    {
      method: "POST",
      path: withSlash("/a2a"),
      tier: "agent",
      a2a: true,
      summary: "The agent, over A2A JSON-RPC",
      handler: (request, call) => jsonRpc(request, callerOf(call), () => call.openStream()),
    },
    ...restRows("/a2a", "extendedAgentCard", rest({ prefix: "/a2a" })),
    ...restRows("/v1", "card", rest({ prefix: "/v1", onlyV03: true })),
    ...rootCopies(rest({ prefix: "" })),
  ];
}

/** The protocol's caller: also what its connection may not do. */
function callerOf(call: RouteCall): Caller {
  return { class: call.caller.class, refuseDecision: () => call.refuseDecision() };
}

/** The path, also with a slash at its end, which some clients add (A2A 1.0.1, A2). */
function withSlash(path: string): readonly string[] {
  return [path, `${path}/`];
}

/** HTTP+JSON under a prefix (A2). */
function restRows(prefix: string, card: string, endpoint: RestEndpoint): Route[] {
  const row = (method: Method | readonly Method[], paths: readonly string[], summary: string): Route => ({
    method,
    path: paths.flatMap((path) => withSlash(prefix + path)),
    tier: "agent",
    a2a: true,
    summary,
    // Whether it streams depends on the last segment, so the endpoint takes a stream when it does.
    handler: (request, call) => endpoint(request, callerOf(call), () => call.openStream()),
  });
  return [
    row("POST", ["/message:send", "/message:stream"], "Sends the agent a message, over A2A HTTP+JSON"),
    row("GET", ["/tasks", `/${card}`], "The agent's tasks, and its extended card"),
    row(["GET", "POST"], ["/tasks/:id"], "A task: read, :cancel, :subscribe"),
    row(
      ["GET", "POST"],
      ["/tasks/:id/pushNotificationConfigs", "/tasks/:id/pushNotificationConfig"],
      "The webhooks of a task",
    ),
    row(["GET", "DELETE"], ["/tasks/:id/pushNotificationConfigs/:key"], "A webhook of a task"),
  ];
}

/** The two streaming paths at the root (B17), for operators only. No other path of HTTP+JSON exists there. */
function rootCopies(endpoint: RestEndpoint): Route[] {
  const nothing = () =>
    Response.json(
      { detail: "There is nothing at this path" },
      { status: 404, headers: { "cache-control": "no-store" } },
    );
  return [
    {
      method: "POST",
      path: withSlash("/message:stream"),
      tier: "operator",
      a2a: true,
      summary: "A copy of /a2a/message:stream",
      handler: (request, call) => endpoint(request, callerOf(call), () => call.openStream()),
    },
    {
      method: ["GET", "POST"],
      path: withSlash("/tasks/:id"),
      tier: "operator",
      a2a: true,
      summary: "A copy of /a2a/tasks/{id}:subscribe",
      handler: (request, call) =>
        call.param("id")?.endsWith(":subscribe")
          ? endpoint(request, callerOf(call), () => call.openStream())
          : nothing(),
    },
  ];
}
