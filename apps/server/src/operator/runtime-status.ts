import { stat } from "node:fs/promises";
import type { RuntimeService, RuntimeStatus } from "@agent-service/operator-api";

/** What the status is read from, each time it is asked for. */
export interface StatusParts {
  readonly version: string;
  readonly settings: {
    readonly setup: { readonly complete: boolean };
    readonly identity: { readonly name: string; readonly operator: string; readonly org: string };
    readonly model: { readonly temperature: number; readonly max_tokens: number; readonly max_iterations: number };
    readonly models: {
      readonly lead: string;
      readonly scriptedByDefault: boolean;
      readonly connections: readonly { readonly id: string; readonly baseUrl: string; readonly apiKey: string }[];
    };
    readonly checkpoint: { readonly db_path: string };
  };
  readonly store: { readonly durable: boolean; readonly description: string };
  readonly instanceUid: () => Promise<string>;
  /** False once the service takes no tasks any more. */
  readonly ready: () => boolean;
  readonly load: () => { readonly running: number; readonly waiting: number };
}

/** The features of documents 2 and 3 that clients show or hide (issue 5, "features"). What is not built is not there. */
const FEATURES: { readonly [name: string]: RuntimeStatus["features"][string] } = Object.freeze({
  a2a: { available: true, enabled: true },
  chat_completions: { available: true, enabled: true },
  webhooks: { available: true, enabled: true },
  ...Object.fromEntries(
    [
      ...[
        "chat",
        "sessions",
        "approvals",
        "subagents",
        "background",
        "scheduler",
        "goals",
        "watches",
        "tasks",
        "inbox",
      ],
      ...["activity", "events", "knowledge", "memory", "skills", "mcp", "plugins", "workflows", "files", "code_pane"],
      ...[
        "editor_handoff",
        "fleet",
        "settings",
        "secrets_manager",
        "telemetry",
        "prompts",
        "tracing",
        "audit",
        "theme",
      ],
      "diagnostics",
    ].map((name) => [name, { available: false, enabled: false }]),
  ),
});

/** The status of the runtime (document 2, Runtime). */
export function runtimeService(parts: StatusParts): RuntimeService {
  return {
    async status() {
      const { settings, store, version } = parts;
      return {
        setup_complete: settings.setup.complete,
        graph_loaded: parts.ready(),
        version,
        instance_uid: await parts.instanceUid(),
        agent_runtime: `node ${process.versions.node}`,
        warnings: warningsOf(parts),
        identity: settings.identity,
        model: modelOf(settings),
        features: FEATURES,
        ...notBuilt,
        storage: {
          durable: store.durable,
          location: store.description,
          checkpoint_bytes: await bytesOf(settings.checkpoint.db_path),
        },
        load: parts.load(),
      };
    },
  };
}

const off = { enabled: false } as const;

const notBuilt = {
  middleware: {
    knowledge: false,
    audit: false,
    memory: false,
    scheduler: false,
    prompt_cache: false,
    compaction: false,
  },
  knowledge: { ...off, status: "disabled" },
  skills: { ...off, count: 0 },
  mcp: { ...off, servers: [], tool_count: 0 },
  scheduler: { ...off, backend: null },
  code_pane: off,
  plugins: [],
  tracing_enabled: false,
} as const;

function warningsOf({ settings, store }: StatusParts): readonly string[] {
  return [
    ...(settings.models.scriptedByDefault
      ? ["No model is configured: the scripted model answers, which is not a language model."]
      : []),
    ...(store.durable ? [] : ["The store is memory: what the agent does is forgotten when the process ends."]),
  ];
}

function modelOf({ model, models }: StatusParts["settings"]): RuntimeStatus["model"] {
  const colon = models.lead.indexOf(":");
  const provider = models.lead.slice(0, Math.max(0, colon));
  const connection = models.connections.find(({ id }) => id === provider);
  return {
    provider,
    name: models.lead.slice(colon + 1),
    api_base: connection?.baseUrl ?? "",
    api_key_configured: (connection?.apiKey ?? "") !== "",
    temperature: model.temperature,
    max_tokens: model.max_tokens,
    max_iterations: model.max_iterations,
  };
}

/** The size of a store that is a file, its log not counted; null for memory and servers. */
async function bytesOf(path: string): Promise<number | null> {
  if (path === "" || path.includes("://")) return null;
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}
