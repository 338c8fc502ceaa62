import type { Clock } from "../clock/index.ts";
import { compatGateway } from "./compat-gateway/index.ts";
import { ModelConfigError } from "./model-config-error.ts";
import type { Model } from "./model-port.ts";
import {
  type OutputVersion,
  oauthSubscriptionA,
  oauthSubscriptionB,
  type TokenSource,
} from "./oauth-subscription/index.ts";
import { SCRIPT_COMMANDS, scripted } from "./scripted/index.ts";
import { servingConnection } from "./serving-connection.ts";

/** One entry of B51 `providers`, with its key from the overlay. */
export interface ModelConnection {
  /** Slug `[a-z0-9][a-z0-9_-]*`. */
  readonly id: string;
  /** A type of B51, or `scripted` (R10); another one is refused when used. */
  readonly type: string;
  /** Display name only. */
  readonly label?: string;
  readonly baseUrl?: string;
  /** A function is asked before each call. */
  readonly apiKey?: string | (() => string);
  /** Of a subscription: its bearer, shared by everything that calls with it (R9). */
  readonly tokens?: TokenSource;
  /** Of `oauth-subscription-b`: B73 `SVC_CODEX_OUTPUT_VERSION`. */
  readonly outputVersion?: OutputVersion;
}

export interface ModelRouterOptions {
  /** In the order of the configuration; the first `compat-gateway` takes bare names. */
  readonly connections: readonly ModelConnection[];
  /** The model value used where none is given (B52 `model.name`). */
  readonly defaultModel?: string;
  /** Serves `scripted:<anything>` without a declared connection of that id (R10). Default true. */
  readonly scripted?: boolean;
  /** Milliseconds, for every gateway (B52 `model.request_timeout`). */
  readonly requestTimeoutMs?: number;
  readonly clock?: Clock;
  /** Wraps each connection's model once, with a lane or retries for instance. */
  readonly wrap?: (model: Model, connection: ModelConnection) => Model;
}

export interface ResolvedModel {
  readonly model: Model;
  /** The model's name at its provider, without the connection. */
  readonly name: string;
  readonly connectionId: string;
  /** Slash commands that are the model's own (R10). */
  readonly commands?: readonly string[] | undefined;
}

/** Finds the model behind a model value. */
export interface ModelRouter {
  /**
   * Resolves `<id>:<model>` or a bare name; blank or absent means the default. Raises `ModelConfigError` when nothing
   * serves it. No call is made.
   */
  resolve(value?: string): ResolvedModel;
  /** Waits for running calls and frees every connection used so far. */
  close(): Promise<void>;
}

interface Opened {
  readonly model: Model;
  readonly commands?: readonly string[];
  close?(): Promise<void>;
}

const SCRIPTED: ModelConnection = { id: "scripted", type: "scripted", label: "Scripted" };

/**
 * Resolves model values by R13: `<x>:<model>` names a connection only when `<x>` is a declared id, so `qwen3:8b`
 * is a model; a bare name goes to the first `compat-gateway`. A key travels only to its own connection's address.
 * Connections are opened when first used. Raises `ModelConfigError` for an id that is no slug or declared twice.
 */
export function createModelRouter(options: ModelRouterOptions): ModelRouter {
  const declared = declare(options);
  const opened = new Map<string, Opened>();

  function open(connection: ModelConnection): Opened {
    const known = opened.get(connection.id);
    if (known !== undefined) return known;
    const fresh = connect(connection, options);
    const model = options.wrap?.(fresh.model, connection) ?? fresh.model;
    const entry: Opened = { ...fresh, model };
    opened.set(connection.id, entry);
    return entry;
  }

  return {
    resolve(value) {
      const wanted = value?.trim() || options.defaultModel?.trim() || "";
      if (wanted === "") throw new ModelConfigError("no_model", "no model is named");
      const { connection, name } = split(wanted, declared);
      const { model, commands } = open(connection);
      return { model, name, connectionId: connection.id, ...(commands && { commands }) };
    },
    async close() {
      const entries = [...opened.values()];
      opened.clear();
      await Promise.all(entries.map((entry) => entry.close?.() ?? Promise.resolve()));
    },
  };
}

function declare(options: ModelRouterOptions): ReadonlyMap<string, ModelConnection> {
  const declared = new Map<string, ModelConnection>();
  for (const connection of options.connections) {
    if (!/^[a-z0-9][a-z0-9_-]*$/.test(connection.id)) {
      throw new ModelConfigError("invalid_connection_id", `not a connection id: ${JSON.stringify(connection.id)}`);
    }
    if (declared.has(connection.id)) {
      throw new ModelConfigError("invalid_connection_id", `two connections have the id ${connection.id}`);
    }
    declared.set(connection.id, connection);
  }
  if (options.scripted !== false && !declared.has(SCRIPTED.id)) declared.set(SCRIPTED.id, SCRIPTED);
  return declared;
}

function split(
  value: string,
  declared: ReadonlyMap<string, ModelConnection>,
): { readonly connection: ModelConnection; readonly name: string } {
  const serving = servingConnection(declared.values(), value);
  if (serving?.name === "")
    throw new ModelConfigError("no_model", `${JSON.stringify(value)} names a connection but no model`);
  if (serving !== undefined) return serving;
  const ids = [...declared.keys()].join(", ") || "none";
  throw new ModelConfigError(
    "no_gateway",
    `no connection serves the model ${JSON.stringify(value)}: it names none of the declared ones (${ids}), and none of them is a compat-gateway`,
  );
}

function connect(connection: ModelConnection, options: ModelRouterOptions): Opened {
  const clock = options.clock === undefined ? {} : { clock: options.clock };
  const timeout = options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs };
  const baseUrl = connection.baseUrl?.trim() ?? "";
  switch (connection.type) {
    case "scripted":
      return { model: scripted(clock), commands: SCRIPT_COMMANDS };
    case "oauth-subscription-a":
      return openedModel(oauthSubscriptionA({ ...subscriptionOf(connection, baseUrl), ...timeout, ...clock }));
    case "oauth-subscription-b": {
      const { outputVersion } = connection;
      return openedModel(
        oauthSubscriptionB({ ...subscriptionOf(connection, baseUrl), outputVersion, ...timeout, ...clock }),
      );
    }
    case "compat-gateway": {
      if (baseUrl === "")
        throw new ModelConfigError("invalid_base_url", `the connection ${connection.id} has no base_url`);
      const key = connection.apiKey === undefined ? {} : { apiKey: connection.apiKey };
      return openedModel(compatGateway({ baseUrl, name: connection.id, ...key, ...timeout, ...clock }));
    }
    default:
      throw new ModelConfigError(
        "unsupported_connection",
        `the connection ${connection.id} has the type ${JSON.stringify(connection.type)}, which this version does not serve`,
      );
  }
}

function openedModel(model: Model & { close(): Promise<void> }): Opened {
  return { model, close: () => model.close() };
}

function subscriptionOf({ id, tokens }: ModelConnection, baseUrl: string) {
  if (tokens === undefined)
    throw new ModelConfigError("no_credential", `the connection ${id} has no token: enter one first`);
  return { name: id, tokens, ...(baseUrl === "" ? {} : { baseUrl }) };
}
