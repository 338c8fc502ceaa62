import { stat } from "node:fs/promises";
import {
  type CommandSettings,
  commandsOff,
  type McpSectionValue,
  type Party,
  type ReasoningEffort,
  readMcpServers,
  type SandboxState,
  servingConnection,
  type TurnLoad,
} from "@agent-service/agent-core/host";
import type { RuntimeService, RuntimeStatus } from "@agent-service/operator-api";
import { MOST_SHOWN_TOOLS } from "../../engine/index.ts";
import type { AuthFailure } from "../../model-layer/index.ts";

/** The sources of the status, read at each request. */
export interface StatusParts {
  readonly version: string;
  readonly settings: {
    readonly setup: { readonly complete: boolean };
    readonly identity: { readonly name: string; readonly operator: string; readonly org: string };
    readonly model: {
      readonly temperature: number;
      readonly max_tokens: number;
      readonly max_iterations: number;
      readonly favorites: readonly string[];
      readonly reasoning_effort: string;
    };
    readonly models: {
      readonly lead: string;
      readonly scriptedByDefault: boolean;
      readonly connections: readonly {
        readonly id: string;
        readonly type: string;
        readonly baseUrl: string;
        readonly apiKey: string;
      }[];
    };
    readonly tracing: { readonly enabled: boolean };
    readonly mcp: McpSectionValue;
    readonly tools: { readonly deferred: { readonly enabled?: boolean | undefined } };
    readonly filesystem: CommandSettings & {
      readonly enabled: boolean;
      readonly code_pane: boolean;
      readonly bypass_allowed: boolean;
    };
    readonly prompt_cache: {
      readonly enabled: boolean;
      readonly warm: { readonly enabled: boolean; readonly interval_seconds: number };
    };
  };
  readonly store: { readonly durable: boolean; readonly description: string };
  /** How many tools the model is shown. */
  readonly shownTools: () => number;
  readonly instanceUid: () => Promise<string>;
  /** False once the service accepts no tasks any more. */
  readonly ready: () => boolean;
  /** The middleware that exists, with whether it is on. */
  readonly middleware: () => Partial<RuntimeStatus["middleware"]>;
  /** Takes secrets out of a text (S5). */
  readonly redact: (text: string) => string;
  readonly models: {
    /** A refusal of a credential since which neither a call succeeded nor the settings changed. */
    readonly authFailure: () => AuthFailure | undefined;
    /** Undefined: unknown. */
    readonly leadTakesImages: boolean | undefined;
    readonly leadEfforts: readonly ReasoningEffort[] | undefined;
  };
  /** How the configuration differs from what runs. */
  readonly configuration: {
    /** The last reload, if it was refused. */
    readonly rejected: { readonly reason: string } | undefined;
    /** Keys that take effect at the next start. */
    restartRequired(): readonly string[];
  };
  /** How files are reached, and the folders that are reached. */
  readonly fence: { readonly holding: RuntimeStatus["fence"]; readonly folders: () => readonly string[] };
  readonly fileHistory: () => Promise<RuntimeStatus["file_history"]>;
  /** What was found of the system's sandbox. */
  readonly sandbox: () => SandboxState | undefined;
  readonly mcp: () => RuntimeStatus["mcp"];
  readonly knowledge: () => Promise<RuntimeStatus["knowledge"]>;
  readonly skills: () => RuntimeStatus["skills"];
  readonly scheduler: () => Pick<RuntimeStatus, "scheduler" | "autonomy">;
  /** Hosts whose last webhook failed after all tries. */
  readonly failingWebhooks: () => readonly string[];
  /** Turns of all callers, or of one class. */
  readonly load: (party?: Party) => TurnLoad;
}

/** The status of the runtime (B32). */
export function runtimeService(parts: StatusParts): RuntimeService {
  return {
    async status() {
      const { settings, store, version } = parts;
      const knowledge = await parts.knowledge();
      return {
        setup_complete: settings.setup.complete,
        graph_loaded: parts.ready(),
        graph_auth_error: authErrorOf(parts),
        version,
        instance_uid: await parts.instanceUid(),
        agent_runtime: `node ${process.versions.node}`,
        warnings: warningsOf(parts),
        approvals: { bypass_allowed: settings.filesystem.bypass_allowed },
        identity: settings.identity,
        model: modelOf(parts),
        tracing_enabled: settings.tracing.enabled,
        ...notBuilt,
        knowledge,
        skills: parts.skills(),
        ...parts.scheduler(),
        code_pane: { enabled: settings.filesystem.enabled && settings.filesystem.code_pane },
        mcp: parts.mcp(),
        fence: parts.fence.holding,
        file_history: await parts.fileHistory(),
        sandbox: sandboxOf(parts),
        project: projectOf(parts.fence.folders()),
        cache_warmer: warmerOf(settings.prompt_cache),
        middleware: { ...noMiddleware, ...parts.middleware() },
        storage: {
          durable: store.durable,
          location: store.description,
          checkpoint_bytes: await bytesOf(store.description),
          knowledge_bytes: await bytesOf(knowledge.resolved_path ?? knowledge.configured_path),
          skills_bytes: await bytesOf(parts.skills().configured_path),
        },
        load: loadOf(parts),
      };
    },
  };
}

function sandboxOf({ settings, sandbox }: StatusParts): RuntimeStatus["sandbox"] {
  const state = sandbox();
  if (settings.filesystem.sandbox === "off") {
    return { provider: "none", usable: false, reason: "the settings switch it off (filesystem.sandbox)" };
  }
  if (state?.usable === true) return { provider: state.sandbox.provider, usable: true, reason: null };
  return { provider: state?.provider ?? "none", usable: false, reason: state?.reason ?? null };
}

/** What of commands an operator should know of: that they are missing against the settings, or that none is asked about. */
function commandWarnings({ settings: { filesystem }, sandbox }: StatusParts): readonly string[] {
  const off = commandsOff(filesystem, sandbox());
  if (off !== undefined) {
    return filesystem.enabled && filesystem.allow_run ? [`The agent has no run_command: ${off}.`] : [];
  }
  return filesystem.run_requires_approval
    ? []
    : ["Commands run without asking anybody (filesystem.run_requires_approval is off)."];
}

/** Each request carries every tool that is shown, and many models choose badly among so many. */
function toolWarnings({ settings: { tools }, shownTools }: StatusParts): readonly string[] {
  const count = shownTools();
  if (tools.deferred.enabled !== false || count <= MOST_SHOWN_TOOLS) return [];
  return [
    `The model is shown ${count} tools in every request, because tools.deferred.enabled is false: remove it, or set it to true.`,
  ];
}

function projectOf(folders: readonly string[]): RuntimeStatus["project"] {
  return { path: folders[0] ?? null, allowed_dirs: [...folders] };
}

function loadOf({ load }: StatusParts): RuntimeStatus["load"] {
  const { running, working, waiting, oldestWaitMs } = load();
  const peers = load("peers");
  return {
    running,
    working,
    waiting,
    oldest_wait_seconds: oldestWaitMs / 1_000,
    peers: { running: peers.running, waiting: peers.waiting },
  };
}

/** A middleware that does not exist yet is false. */
const noMiddleware: RuntimeStatus["middleware"] = Object.freeze({
  knowledge: false,
  audit: false,
  memory: false,
  scheduler: false,
  prompt_cache: false,
  compaction: false,
});

const notBuilt = { plugins: [] } as const;

function warmerOf({ enabled, warm }: StatusParts["settings"]["prompt_cache"]): RuntimeStatus["cache_warmer"] {
  return { enabled: warm.enabled, loaded: enabled && warm.enabled, interval_seconds: warm.interval_seconds };
}

function warningsOf(parts: StatusParts): readonly string[] {
  const { settings, store, configuration, failingWebhooks } = parts;
  const { rejected } = configuration;
  const waiting = configuration.restartRequired();
  const failing = failingWebhooks();
  return [
    ...(rejected === undefined
      ? []
      : [`The changed configuration is refused, the one before it runs on: ${rejected.reason}`]),
    ...(waiting.length === 0 ? [] : [`Restart the agent for these settings to count: ${waiting.join(", ")}.`]),
    ...(failing.length === 0
      ? []
      : [
          `Webhooks to ${failing.join(", ")} failed after all tries. The log has the reason; this warning ends when one is delivered.`,
        ]),
    ...commandWarnings(parts),
    ...toolWarnings(parts),
    ...(settings.mcp.enabled ? readMcpServers(settings.mcp).warnings.map((text) => `mcp.servers: ${text}.`) : []),
    ...(settings.models.scriptedByDefault
      ? ["No model is configured: the scripted model answers, which is not a language model."]
      : []),
    ...(store.durable ? [] : ["The store is memory: what the agent does is forgotten when the process ends."]),
  ];
}

/** A provider's message may quote the key. */
function authErrorOf({ models, settings, redact }: StatusParts): RuntimeStatus["graph_auth_error"] {
  const failure = models.authFailure();
  if (failure === undefined) return null;
  const { connection: provider, message } = failure;
  const type = settings.models.connections.find(({ id }) => id === provider)?.type ?? "";
  return { provider, message: redact(message), relogin: type.startsWith("oauth-subscription") };
}

function modelOf({
  settings: { model, models },
  models: { leadTakesImages, leadEfforts },
}: StatusParts): RuntimeStatus["model"] {
  const { connection, name = models.lead } = servingConnection(models.connections, models.lead) ?? {};
  return {
    provider: connection?.id ?? "",
    name,
    api_base: connection?.baseUrl ?? "",
    api_key_configured: (connection?.apiKey ?? "") !== "",
    temperature: model.temperature,
    max_tokens: model.max_tokens,
    max_iterations: model.max_iterations,
    favorites: [...model.favorites],
    vision: leadTakesImages === true,
    reasoning_effort: model.reasoning_effort,
    reasoning_efforts: leadEfforts === undefined ? null : [...leadEfforts],
    image_describe: false,
  };
}

/** The size of a store that is a file, with its write-ahead log; null for memory and servers. */
async function bytesOf(path: string): Promise<number | null> {
  if (path === "" || path.includes("://")) return null;
  const sizes = await Promise.allSettled([path, `${path}-wal`].map((file) => stat(file)));
  const found = sizes.flatMap((one) => (one.status === "fulfilled" ? [one.value.size] : []));
  return found.length === 0 ? null : found.reduce((sum, size) => sum + size, 0);
}
