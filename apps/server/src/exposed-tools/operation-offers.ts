/**
 * Which operations of the operator API MCP clients may call at `/mcp` (M17). What is named nowhere is not offered, and a test
 * holds that everything is named, so that whoever adds an operation decides.
 */

/** `read`: by both profiles. `full`: by the profile `full`. `excluded`: never. */
export type OperationOffer = "read" | "full" | "excluded";

const READ = [
  ...["a2a_tasks.list", "a2a_tasks.journal", "activity.list", "background.list", "background.read"],
  ...["changes.list", "changes.diff", "chat.commands", "coding_agents.list", "command_output.read"],
  ...["delegations.list", "diagnostics.logs", "diagnostics.task", "files.read", "files.diff", "files.roots"],
  ...["inbox.list", "operations.list", "prompts.last", "prompts.read", "reference.openapi", "runtime.status"],
  ...["sessions.list", "sessions.read", "sessions.turns", "sessions.find", "sessions.export", "sessions.file"],
  ...["steer.list", "subagents.list", "tasks.status", "tasks.list", "tasks.read", "tools.list", "theme.read"],
  ...["telemetry.llm-lanes", "telemetry.summary", "telemetry.recent", "telemetry.export", "telemetry.insights"],
  ...["telemetry.series", "playbooks.list", "playbooks.read", "playbooks.versions", "knowledge.search"],
  ...["knowledge.sources", "knowledge.source", "knowledge.removed", "memory.receipts", "memory.hot"],
  ...["memory.sessions", "memory.session"],
  ...["memory.injections", "memory.uses", "memory.harvesting"],
  ...["scheduler.list", "scheduler.read", "scheduler.runs", "scheduler.preview", "scheduler.calendar"],
  ...["goals.list", "goals.read", "goals.timeline"],
  ...["watches.list", "watches.read", "watches.fires", "watches.verifiers"],
];

const FULL = [
  ...["background.cancel", "background.clear", "background.delete", "chat.file-text", "delegations.cancel"],
  ...["events.publish", "inbox.add", "inbox.deliver", "sessions.remove", "sessions.fork"],
  ...["sessions.regenerate", "sessions.compact", "sessions.edit", "steer.add", "steer.remove"],
  ...["subagents.run", "subagents.batch", "theme.save", "theme.clear"],
  ...["tasks.init", "tasks.create", "tasks.edit", "tasks.close", "tasks.run", "tasks.remove"],
  "memory.preview",
  ...["scheduler.create", "scheduler.edit", "scheduler.remove", "scheduler.run"],
  ...["goals.rearm", "goals.resume", "goals.clear"],
  ...["watches.check", "watches.clear"],
];

/** With what keeps each from MCP clients. */
const EXCLUDED = {
  secrets: ["secrets.status", "secrets.sync", "secrets.test"],
  configuration: [
    ...["config.read", "config.save", "config.explain", "config.preset", "config.models", "config.test-model"],
    ...[
      "config.models.local",
      "config.soul.versions",
      "config.soul.restore",
      "settings.schema",
      "settings.apply",
      "settings.reset",
    ],
    ...["setup.status", "setup.complete", "setup.reset"],
  ],
  providers: ["providers.list", "providers.add", "providers.edit", "providers.remove"],
  mcp: [
    ...["mcp.servers", "mcp.server", "mcp.add", "mcp.import", "mcp.test", "mcp.edit", "mcp.remove", "mcp.restart"],
    ...["mcp.definitions", "mcp.signIn", "mcp.signInFinish", "mcp.signOut"],
    ...["mcp.calls", "mcp.call", "mcp.replay", "mcp.catalog", "mcp.exposed"],
  ],
  /** A memory is shown to every later conversation. */
  knowledge: [
    ...["knowledge.add", "knowledge.edit", "knowledge.remove", "knowledge.restore", "knowledge.review"],
    ...["knowledge.promote", "knowledge.withdraw"],
    ...["knowledge.ingest", "knowledge.deleteSource", "knowledge.restoreSource"],
    ...["knowledge.export", "knowledge.import", "knowledge.attach"],
    ...["memory.forget", "memory.editHot", "memory.removeHot", "memory.removeSession", "memory.harvest"],
  ],
  /** A skill instructs every later conversation. */
  skills: ["playbooks.add", "playbooks.edit", "playbooks.remove", "playbooks.restore", "playbooks.promote"],
  approvals: ["approvals.list", "approvals.preview", "approvals.decide", "approvals.grants", "approvals.revoke"],
  directCalls: ["tools.call"],
  projects: ["projects.list", "projects.add", "projects.clone", "projects.edit", "projects.remove", "files.browse"],
  /** `rewind` can take back what turns changed in files. */
  undo: ["changes.undo", "sessions.rewind"],
  shares: ["shares.list", "shares.add", "shares.preview", "shares.remove"],
  /** Hands a session over to an editor: its answer is a credential. */
  devices: ["editor_handoff.offer", "editor_handoff.claim"],
  /** A watch or goal may run commands, which no call over MCP may set. */
  checks: ["watches.create", "watches.edit", "goals.set"],
  /** They waive and answer approvals, or begin a slash command: `ask_agent` does neither. */
  asking: ["chat.send", "sessions.addVersion"],
  /** It has no end. */
  streams: ["events.follow"],
} as const;

const OFFERS: ReadonlyMap<string, OperationOffer> = new Map([
  ...READ.map((name) => [name, "read"] as const),
  ...FULL.map((name) => [name, "full"] as const),
  ...Object.values(EXCLUDED)
    .flat()
    .map((name) => [name, "excluded"] as const),
]);

/** The names that are decided about. */
export const OFFERED_OR_NOT: readonly string[] = [...OFFERS.keys()];

/** Whether an operation of this name is offered, and by which profile. */
export function offerOf(operation: string): OperationOffer {
  return OFFERS.get(operation) ?? "excluded";
}
