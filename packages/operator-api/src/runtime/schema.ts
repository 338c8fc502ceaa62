import * as v from "valibot";
import { reasoningEffortsSchema } from "../reasoning-effort/index.ts";

const enabled = v.object({ enabled: v.boolean() });

/** Whether the build has a feature, and whether it is switched on: what clients compute what they show from. */
export const featureSchema = v.object({
  available: v.pipe(v.boolean(), v.description("This build has it.")),
  enabled: v.pipe(v.boolean(), v.description("It is switched on.")),
});

/** `GET /api/runtime/status` (B32). What is not built reads as off; nothing pretends (O4). */
export const runtimeStatusSchema = v.object({
  setup_complete: v.boolean(),
  graph_loaded: v.pipe(v.boolean(), v.description("The agent takes tasks.")),
  graph_auth_error: v.pipe(
    v.nullable(v.object({ provider: v.string(), message: v.string(), relogin: v.boolean() })),
    v.description("The last call to a model was refused for its credential; null once one succeeds."),
  ),
  version: v.string(),
  instance_uid: v.pipe(
    v.string(),
    v.description("The store's own name; a client clears what it cached when it changes."),
  ),
  agent_runtime: v.string(),
  warnings: v.pipe(v.array(v.string()), v.description("Banners for the operator; each goes when its cause does.")),
  project: v.pipe(
    v.object({ path: v.nullable(v.string()), allowed_dirs: v.array(v.string()) }),
    v.description("The folders that the agent's file tools reach, and the first of them; null: none."),
  ),
  fence: v.pipe(
    v.picklist(["descriptor", "checked"]),
    v.description("How paths are held: by open folders, or by path with a look at each folder before and after."),
  ),
  approvals: v.object({
    bypass_allowed: v.pipe(
      v.boolean(),
      v.description("A message may waive approvals (`bypass_approvals`): `filesystem.bypass_allowed`."),
    ),
  }),
  file_history: v.pipe(
    v.object({ bytes: v.number(), limit: v.number() }),
    v.description("Bytes on the disk of what files held before they were changed, and the most they may take."),
  ),
  sandbox: v.pipe(
    v.object({ provider: v.string(), usable: v.boolean(), reason: v.nullable(v.string()) }),
    v.description("The system's sandbox for commands and scripts: which, whether it can be used, and if not, why."),
  ),
  identity: v.object({ name: v.string(), operator: v.string(), org: v.string() }),
  model: v.object({
    provider: v.pipe(v.string(), v.description("Id of the lead's connection.")),
    name: v.string(),
    api_base: v.string(),
    api_key_configured: v.boolean(),
    temperature: v.number(),
    max_tokens: v.number(),
    max_iterations: v.number(),
    favorites: v.pipe(v.array(v.string()), v.description("Models to change to at hand, in order: `model.favorites`.")),
    vision: v.pipe(
      v.boolean(),
      v.description("It takes images, by its connection or its gateway; false also where neither declares it (R13)."),
    ),
    reasoning_effort: v.pipe(
      v.string(),
      v.description("The effort of messages that name none: `model.reasoning_effort`; blank: the provider's own."),
    ),
    reasoning_efforts: reasoningEffortsSchema,
    image_describe: v.pipe(v.boolean(), v.description("Another model describes images to it; not built.")),
  }),
  features: v.record(v.string(), featureSchema),
  middleware: v.object({
    knowledge: v.boolean(),
    audit: v.boolean(),
    memory: v.boolean(),
    scheduler: v.boolean(),
    prompt_cache: v.boolean(),
    compaction: v.boolean(),
  }),
  knowledge: v.object({
    enabled: v.pipe(v.boolean(), v.description("Turns recall memories (`middleware.knowledge`).")),
    status: v.pipe(
      v.picklist(["ready", "initializing", "disabled"]),
      v.description("`initializing`: its store cannot be opened, which is tried again every ten seconds."),
    ),
    embeddings: v.pipe(
      v.picklist(["off", "ready", "degraded"]),
      v.description("`degraded`: the endpoint fails, and memories are found by words alone."),
    ),
    configured_path: v.pipe(v.string(), v.description("Of its store; blank: memory alone.")),
    resolved_path: v.pipe(
      v.nullable(v.string()),
      v.description("The file or address that is used; null: it was not opened yet."),
    ),
    top_k: v.pipe(v.number(), v.description("Memories of a turn at most.")),
    chunks: v.pipe(
      v.nullable(v.number()),
      v.description("Memories, replaced ones included; null: the store cannot be opened."),
    ),
    pending: v.pipe(v.nullable(v.number()), v.description("Those that wait for a person; null as above.")),
    unembedded: v.pipe(
      v.nullable(v.number()),
      v.description("Memories that are not found by meaning yet; 0 where that is off, null as above."),
    ),
    dimensions: v.pipe(
      v.nullable(v.number()),
      v.description("Numbers of a vector; null: the endpoint was not asked yet, or meaning is off."),
    ),
  }),
  skills: v.object({
    enabled: v.boolean(),
    count: v.pipe(v.number(), v.description("Without broken ones.")),
    configured_path: v.pipe(v.string(), v.description("Of the store of versions.")),
    top_k: v.number(),
  }),
  mcp: v.object({
    enabled: v.boolean(),
    servers: v.array(v.object({ name: v.string(), transport: v.string(), tool_count: v.number() })),
    tool_count: v.number(),
  }),
  scheduler: v.object({
    enabled: v.boolean(),
    backend: v.nullable(v.string()),
    jobs: v.number(),
    next_due_at: v.nullable(v.string()),
  }),
  autonomy: v.object({
    next_due_at: v.pipe(v.nullable(v.string()), v.description("When the agent begins something by itself next.")),
    jobs: v.number(),
    watches: v.pipe(v.number(), v.description("Active ones, as of goals.")),
    goals: v.number(),
  }),
  cache_warmer: v.pipe(
    v.object({ enabled: v.boolean(), loaded: v.boolean(), interval_seconds: v.number() }),
    v.description("The heartbeat of the provider's prompt cache; loaded: there is a cache to keep warm."),
  ),
  code_pane: enabled,
  plugins: v.array(v.object({ id: v.string(), enabled: v.boolean(), loaded: v.boolean() })),
  storage: v.object({
    durable: v.pipe(v.boolean(), v.description("False: the store is memory, and what it holds goes with the process.")),
    location: v.string(),
    checkpoint_bytes: v.nullable(v.number()),
    knowledge_bytes: v.pipe(v.nullable(v.number()), v.description("Of its file; null: there is none.")),
    skills_bytes: v.nullable(v.number()),
  }),
  load: v.object({
    running: v.pipe(v.number(), v.description("Turns begun and not over.")),
    working: v.pipe(v.number(), v.description("Those of them that do not just wait for their model.")),
    waiting: v.pipe(v.number(), v.description("Turns that have not begun.")),
    oldest_wait_seconds: v.pipe(v.number(), v.description("How long the first of those waits; 0: none does.")),
    peers: v.pipe(
      v.object({ running: v.number(), waiting: v.number() }),
      v.description("The part that peers with the federation token have of these."),
    ),
  }),
  tracing_enabled: v.boolean(),
});

/** What the service runs on, as its operator sees it. */
export type RuntimeStatus = v.InferInput<typeof runtimeStatusSchema>;
