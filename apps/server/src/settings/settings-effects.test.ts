/**
 * No setting without effect: each key has a test that shows what it does. It stands beside the section and names the key; a
 * test elsewhere, and one of a key of a single word, which any text may hold, stands in the table below. A key that this
 * release does not use is named in a warning to whoever sets it.
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { declaredSections } from "../testing/declared-sections.ts";
import { SECTIONS } from "./sections.ts";
import { loadServerSettings } from "./settings.ts";
import { RESERVED_KEYS } from "./unbuilt-features.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const SERVICE = "apps/server/src";
const CORE = "packages/agent-core/src";

/** The test of a key, and the word by which it names the key: often that of the engine's option. */
const SHOWN_BY: { readonly [key: string]: readonly [file: string, word: string] } = {
  "identity.name": [`${SERVICE}/surfaces/a2a/served-card.test.ts`, "name"],
  "identity.operator": [`${SERVICE}/persona/persona-file.test.ts`, "operator"],
  "identity.org": [`${SERVICE}/persona/persona-file.test.ts`, "org"],
  "providers.id": [`${SERVICE}/model-layer/compose-models.test.ts`, "id"],
  "providers.type": [`${SERVICE}/model-layer/subscriptions.test.ts`, "type"],
  "providers.label": [`${SERVICE}/features/configuration/configuration-saves.test.ts`, "label"],
  "providers.base_url": [`${SERVICE}/model-layer/gateway-outcomes.test.ts`, "base_url"],
  "providers.api_key": [`${SERVICE}/settings/live-reload.test.ts`, "api_key"],
  "providers.models": [`${SERVICE}/features/models/models-api.test.ts`, "models"],
  "model.name": [`${SERVICE}/settings/live-reload.test.ts`, "name"],
  "model.temperature": [`${SERVICE}/settings/live-reload.test.ts`, "temperature"],
  "model.max_tokens": [`${SERVICE}/model-layer/model-settings.test.ts`, "max_tokens"],
  "model.max_iterations": [`${CORE}/turn/guards.test.ts`, "maxIterations"],
  "model.favorites": [`${SERVICE}/surfaces/openai/client.test.ts`, "favorites"],
  "model.request_timeout": [`${SERVICE}/model-layer/bad-gateway.test.ts`, "request_timeout"],
  "model.max_retries": [`${SERVICE}/model-layer/model-failures.test.ts`, "max_retries"],
  "model.max_inflight": [`${SERVICE}/model-layer/gateway-outcomes.test.ts`, "max_inflight"],
  "model.inflight_queue_timeout": [`${SERVICE}/model-layer/model-settings.test.ts`, "inflight_queue_timeout"],
  "model.inflight_interactive_reserve": [
    `${SERVICE}/model-layer/model-settings.test.ts`,
    "inflight_interactive_reserve",
  ],
  "model.top_p": [`${SERVICE}/model-layer/compose-models.test.ts`, "top_p"],
  "model.presence_penalty": [`${SERVICE}/model-layer/compose-models.test.ts`, "presence_penalty"],
  "model.repetition_penalty": [`${SERVICE}/model-layer/compose-models.test.ts`, "repetition_penalty"],
  "model.top_k": [`${SERVICE}/model-layer/compose-models.test.ts`, "top_k"],
  "model.chat_template_kwargs": [`${SERVICE}/model-layer/compose-models.test.ts`, "chat_template_kwargs"],
  "model.round_hard_cap": [`${CORE}/turn/guards.test.ts`, "roundHardCap"],
  "model.provider": [`${SERVICE}/settings/settings.test.ts`, "provider"],
  "model.api_base": [`${SERVICE}/settings/settings.test.ts`, "api_base"],
  "model.api_key": [`${SERVICE}/settings/settings.test.ts`, "api_key"],
  "prompt_cache.enabled": [`${SERVICE}/model-layer/prompt-cache.test.ts`, "prompt_cache"],
  "prompt_cache.ttl": [`${SERVICE}/model-layer/prompt-cache.test.ts`, "ttl"],
  "prompt_cache.force": [`${SERVICE}/model-layer/prompt-cache.test.ts`, "force"],
  "prompt_cache.warm.enabled": [`${CORE}/prompt-warming/prompt-warming.test.ts`, "enabled"],
  "prompt_cache.warm.interval_seconds": [`${CORE}/prompt-warming/prompt-warming.test.ts`, "interval_seconds"],
  "pruning.enabled": [`${CORE}/turn/step/fit-context.test.ts`, "enabled"],
  "compaction.enabled": [`${CORE}/turn/step/compact-context.test.ts`, "enabled"],
  "compaction.trigger": [`${CORE}/context/plan-compaction.test.ts`, "trigger"],
  "compaction.model": [`${CORE}/turn/step/compact-context.test.ts`, "model"],
  "routing.aux_model": [`${CORE}/delegation/delegations.test.ts`, "auxModel"],
  "routing.fallback_models": [`${SERVICE}/model-layer/gateway-outcomes.test.ts`, "fallback_models"],
  "a2a.description": [`${SERVICE}/surfaces/a2a/served-card.test.ts`, "description"],
  "a2a.skills": [`${SERVICE}/surfaces/a2a/served-card.test.ts`, "skills"],
  "a2a.allowed_models": [`${SERVICE}/model-layer/peer-models.test.ts`, "allowed_models"],
  "auth.token": [`${SERVICE}/access/caller-classes.test.ts`, "token"],
  "auth.federation_token": [`${SERVICE}/access/caller-classes.test.ts`, "federation_token"],
  "secrets_manager.enabled": [`${SERVICE}/secrets/secrets-manager.test.ts`, "enabled"],
  "secrets_manager.provider": [`${SERVICE}/secrets/secrets-manager.test.ts`, "provider"],
  "secrets_manager.host": [`${SERVICE}/secrets/secrets-manager.test.ts`, "host"],
  "secrets_manager.project_id": [`${SERVICE}/secrets/secrets-manager.test.ts`, "project_id"],
  "secrets_manager.environment": [`${SERVICE}/secrets/secrets-manager.test.ts`, "environment"],
  "secrets_manager.path": [`${SERVICE}/secrets/secrets-manager.test.ts`, "path"],
  "secrets_manager.recursive": ["packages/config/src/secrets-manager/secrets-manager.test.ts", "recursive"],
  "secrets_manager.refresh_seconds": ["packages/config/src/secrets-manager/secrets-manager.test.ts", "refresh_seconds"],
  "secrets_manager.required": [`${SERVICE}/secrets/secrets-manager.test.ts`, "required"],
  "egress.allowed_hosts": [`${SERVICE}/settings/live-reload.test.ts`, "allowed_hosts"],
  "filesystem.enabled": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "enabled"],
  "filesystem.code_pane": [`${SERVICE}/features/files/files-api.test.ts`, "code_pane"],
  "filesystem.bypass_allowed": [`${SERVICE}/features/approvals/bypass.test.ts`, "bypass_allowed"],
  "filesystem.allow_run": [`${SERVICE}/features/run-command/run-command.test.ts`, "allow_run"],
  "filesystem.run_requires_approval": [`${SERVICE}/features/run-command/run-command.test.ts`, "run_requires_approval"],
  "filesystem.run_auto_approve": [`${SERVICE}/features/run-command/run-command.test.ts`, "run_auto_approve"],
  "filesystem.sandbox": [`${CORE}/run-command/confinement.test.ts`, "sandbox"],
  "filesystem.run_network": [`${CORE}/run-command/confinement.test.ts`, "run_network"],
  "filesystem.run_env": [`${SERVICE}/features/run-command/run-command.test.ts`, "run_env"],
  "filesystem.editor_command": [`${SERVICE}/features/handoff/handoff.test.ts`, "editor_command"],
  "filesystem.editor_handoff": [`${SERVICE}/features/handoff/handoff.test.ts`, "editor_handoff"],
  "filesystem.history_mb": [`${SERVICE}/features/changes/changes.test.ts`, "history_mb"],
  "filesystem.projects": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "projects"],
  "onboarding.enabled": [`${SERVICE}/features/projects/cloning.test.ts`, "enabled"],
  "onboarding.root": [`${SERVICE}/features/projects/cloning.test.ts`, "root"],
  "onboarding.allow": [`${SERVICE}/features/projects/cloning.test.ts`, "allow"],
  "onboarding.write_default": [`${SERVICE}/features/projects/cloning.test.ts`, "write_default"],
  "onboarding.approve_outside_root": [`${SERVICE}/features/projects/cloning.test.ts`, "approve_outside_root"],
  "projects.name": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "name"],
  "projects.path": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "path"],
  "projects.scm_repo": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "scm_repo"],
  "projects.default_branch": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "default_branch"],
  "projects.write": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "write"],
  "projects.no_delete": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "no_delete"],
  "projects.fs": [`${SERVICE}/features/filesystem/filesystem.test.ts`, "fs"],
  "web_search.provider": [`${SERVICE}/features/web-tools/web-tools.test.ts`, "provider"],
  "web_search.base_url": [`${SERVICE}/features/web-tools/web-tools.test.ts`, "base_url"],
  "web_search.api_key": [`${SERVICE}/features/web-tools/web-tools.test.ts`, "api_key"],
  "tools.disabled": [`${SERVICE}/features/tools/tool-settings.test.ts`, "disabled"],
  "tools.hidden": [`${SERVICE}/features/tools/tool-settings.test.ts`, "hidden"],
  "tools.deferred.enabled": [`${SERVICE}/features/tools/tool-settings.test.ts`, "deferred"],
  "tools.deferred.keep": [`${SERVICE}/features/tools/tool-settings.test.ts`, "keep"],
  "tools.self_config_enabled": [`${SERVICE}/features/configuration/self-config.test.ts`, "self_config_enabled"],
  "enforcement.disallowed_tools": [`${SERVICE}/features/tools/tool-settings.test.ts`, "disallowed_tools"],
  "enforcement.rate_limits": [`${SERVICE}/features/tools/tool-settings.test.ts`, "rate_limits"],
  "enforcement.require_approval": [`${SERVICE}/features/approvals/approvals.test.ts`, "require_approval"],
  "mcp.enabled": [`${SERVICE}/features/mcp/mcp-servers.test.ts`, "enabled"],
  "mcp.timeout_seconds": [`${CORE}/mcp/connection/connection.test.ts`, "timeoutMs"],
  "mcp.call_timeout_seconds": [`${CORE}/mcp/settings/read-servers.test.ts`, "call_timeout_seconds"],
  "mcp.max_result_chars": [`${CORE}/mcp/settings/read-servers.test.ts`, "max_result_chars"],
  "mcp.denylist": [`${CORE}/mcp/names/tool-names.test.ts`, "denylist"],
  "mcp.expose.enabled": [`${SERVICE}/surfaces/mcp/mcp.test.ts`, "enabled"],
  "mcp.expose.profile": [`${SERVICE}/surfaces/mcp/mcp.test.ts`, "profile"],
  "mcp.expose.tools": [`${SERVICE}/surfaces/mcp/mcp.test.ts`, "tools"],
  "mcp.servers": [`${CORE}/mcp/settings/read-servers.test.ts`, "servers"],
  "mcp.oauth": [`${SERVICE}/features/mcp/sign-in.test.ts`, "oauth"],
  "mcp.secrets": [`${CORE}/mcp/mcp-section.test.ts`, "secrets"],
  "skills.db_path": [`${SERVICE}/features/skills/saved-skills.test.ts`, "skills.db_path"],
  "skills.self_improvement": [`${SERVICE}/features/skills/saved-skills.test.ts`, "self_improvement"],
  "knowledge.scope": [`${SERVICE}/features/skills/playbooks-api.test.ts`, "scope"],
  "knowledge.commons_path": [`${SERVICE}/features/skills/playbooks-api.test.ts`, "commons_path"],
  "soul.self_edit_enabled": [`${SERVICE}/features/skills/soul.test.ts`, "self_edit_enabled"],
  "soul.self_edit_approval": [`${SERVICE}/features/skills/soul.test.ts`, "self_edit_approval"],
  "skills.dir": [`${SERVICE}/features/skills/skills.test.ts`, "skills.dir"],
  "skills.enabled": [`${SERVICE}/features/skills/skills.test.ts`, "enabled"],
  "skills.top_k": [`${CORE}/skill/index-of-turns.test.ts`, "describedMost"],
  "knowledge.db_path": [`${SERVICE}/features/knowledge/knowledge.test.ts`, "KNOWLEDGE_DB_PATH"],
  "knowledge.embeddings": [`${SERVICE}/features/knowledge/meaning.test.ts`, "embeddings"],
  "knowledge.embed_model": [`${SERVICE}/features/knowledge/meaning.test.ts`, "embed_model"],
  "knowledge.top_k": [`${SERVICE}/features/knowledge/recall.test.ts`, "top_k"],
  "knowledge.recall_timeout_ms": [`${SERVICE}/features/knowledge/recall.test.ts`, "recall_timeout_ms"],
  "knowledge.facts": [`${CORE}/memory/harvest/harvests.test.ts`, "facts"],
  "knowledge.harvest_idle_minutes": [`${CORE}/memory/harvest/harvests.test.ts`, "harvest_idle_minutes"],
  "knowledge.harvest_model": [`${CORE}/memory/harvest/harvests.test.ts`, "harvest_model"],
  "context.prior_sessions": [`${SERVICE}/features/memory/memory-api.test.ts`, "prior_sessions"],
  "memory.max_sessions": [`${SERVICE}/features/memory/memory-api.test.ts`, "max_sessions"],
  "memory.max_tokens": [`${SERVICE}/features/memory/memory-api.test.ts`, "max_tokens"],
  "middleware.memory": [`${SERVICE}/features/memory/memory-api.test.ts`, "memory"],
  "context.budget_pct": [`${SERVICE}/features/knowledge/recall.test.ts`, "budget_pct"],
  "middleware.knowledge": [`${SERVICE}/features/knowledge/recall.test.ts`, "knowledge"],
  "execute_code.enabled": [`${SERVICE}/features/code-run/code-run.test.ts`, "enabled"],
  "execute_code.timeout": [`${CORE}/code-run/execute-code.test.ts`, "timeout"],
  "execute_code.tools": [`${CORE}/code-run/execute-code.test.ts`, "tools"],
  "checkpoint.db_path": [`${SERVICE}/cli/command-line.test.ts`, "db_path"],
  "checkpoint.keep_per_thread": [`${CORE}/journal/retention.test.ts`, "keepPerThread"],
  "checkpoint.max_age_days": [`${CORE}/journal/retention.test.ts`, "maxAgeDays"],
  "checkpoint.conversation_max_age_days": [`${CORE}/journal/retention.test.ts`, "conversationMaxAgeDays"],
  "checkpoint.prune_interval_hours": [`${CORE}/journal/retention.test.ts`, "pruneIntervalHours"],
  "checkpoint.harvest_enabled": [`${CORE}/journal/retention.test.ts`, "harvest_enabled"],
  "checkpoint.on_restart": [`${SERVICE}/engine/engine-options.test.ts`, "on_restart"],
  "journal.retention_days": [`${SERVICE}/settings/settings.test.ts`, "retention_days"],
  "telemetry.enabled": [`${SERVICE}/features/telemetry/telemetry.test.ts`, "enabled"],
  "telemetry.db_path": [`${SERVICE}/features/telemetry/telemetry.test.ts`, "db_path"],
  "prompts.retention_days": [`${SERVICE}/features/telemetry/telemetry.test.ts`, "retention_days"],
  "prompts.max_calls": [`${SERVICE}/features/telemetry/telemetry.test.ts`, "max_calls"],
  "prompts.capture": [`${SERVICE}/features/telemetry/telemetry.test.ts`, "capture"],
  "watches.enabled": [`${SERVICE}/features/watch/watch.test.ts`, "enabled"],
  "watches.interval": [`${CORE}/watch/watches.test.ts`, "interval"],
  "watches.keep_terminal_h": [`${CORE}/watch/watches.test.ts`, "keep_terminal_h"],
  "watches.poller": [`${CORE}/watch/watches.test.ts`, "poller"],
  "goal.enabled": [`${SERVICE}/features/goal/goal.test.ts`, "enabled"],
  "goal.max_iterations": [`${CORE}/goal/goal-settings.test.ts`, "max_iterations"],
  "goal.no_progress_limit": [`${CORE}/goal/goal-settings.test.ts`, "no_progress_limit"],
  "goal.eval_model": [`${CORE}/goal/goal-settings.test.ts`, "eval_model"],
  "goal.verify_timeout": [`${CORE}/goal/goal-settings.test.ts`, "verify_timeout"],
  "goal.max_rounds_per_turn": [`${CORE}/goal/goals.test.ts`, "max_rounds_per_turn"],
  "middleware.audit": [`${SERVICE}/features/telemetry/telemetry.test.ts`, "audit"],
  "middleware.scheduler": [`${SERVICE}/features/tools/tool-settings.test.ts`, "scheduler"],
  "middleware.enforcement": [`${SERVICE}/features/tools/tool-settings.test.ts`, "enforcement"],
  "tracing.enabled": [`${SERVICE}/features/tracing/tracing.test.ts`, "enabled"],
  "tracing.host": [`${SERVICE}/features/tracing/tracing.test.ts`, "host"],
  "tracing.public_key": [`${SERVICE}/features/tracing/tracing.test.ts`, "public_key"],
  "tracing.secret_key": [`${SERVICE}/features/tracing/tracing.test.ts`, "secret_key"],
  "shares.enabled": [`${SERVICE}/features/shares/shares.test.ts`, "enabled"],
  "instance.id": [`${SERVICE}/settings/settings.test.ts`, "instance"],
  "settings.hidden": [`${SERVICE}/features/configuration/settings-forms.test.ts`, "hidden"],
  "limits.max_running_turns": [`${SERVICE}/engine/turn-limits.test.ts`, "max_running_turns"],
  "sessions.titles": [`${CORE}/session/session-titles.test.ts`, "titles"],
  "limits.max_queued_turns": [`${SERVICE}/engine/turn-limits.test.ts`, "max_queued_turns"],
  "background.auto_resume": [`${SERVICE}/features/background/background.test.ts`, "auto_resume"],
  // Of every role.
  "subagents.*.enabled": [`${SERVICE}/features/delegation/subagents.test.ts`, "enabled"],
  "subagents.*.tools": [`${CORE}/delegation/delegations.test.ts`, "tools"],
  "subagents.*.model": [`${CORE}/delegation/delegations.test.ts`, "model"],
};

const KEYS = SECTIONS.flatMap(({ name, fields }) => Object.keys(fields).map((key) => `${name}.${key}`));

function shownBy(key: string) {
  return SHOWN_BY[key] ?? SHOWN_BY[key.replace(/^(subagents)\.[a-z-]+\./, "$1.*.")];
}

const FOLDERS = declaredSections();

/** The tests of which one has to name a key, and the names it may have there. */
function proofOf(key: string): { readonly files: readonly string[]; readonly names: readonly string[] } {
  const row = shownBy(key);
  if (row !== undefined) return { files: [row[0]], names: [row[1]] };
  const [section = "", ...rest] = key.split(".");
  const last = rest.at(-1) ?? "";
  if (!last.includes("_")) return { files: [], names: [] };
  const camel = last.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { files: globSync(`${FOLDERS.get(section)}/*.test.ts`, { cwd: ROOT }), names: [last, camel] };
}

test.each(KEYS.filter((key) => !RESERVED_KEYS.includes(key)))("%s has a test that shows its effect", (key) => {
  const { files, names } = proofOf(key);
  const texts = files
    .filter((file) => existsSync(join(ROOT, file)))
    .map((file) => readFileSync(join(ROOT, file), "utf8"));
  // Where it is set, or said with its section: the bare word may mean something else.
  const named = new RegExp(`\\b(?:${names.join("|")})["'\\]]*[:=]|\\b${key.replaceAll(".", "\\.")}\\b`);
  expect([key, names.length > 0 && texts.some((text) => named.test(text))]).toEqual([key, true]);
});

/** What the server hands to the engine under the engine's names. */
const HANDED_OVER = /^(?:pruning|compaction|checkpoint)\.|^model\.(?:max_iterations|round_hard_cap)$/;
const ENGINE_OPTIONS = `${SERVICE}/engine/engine-options.test.ts`;

test("what the engine's tests show under the engine's names, a test of the server shows to reach the engine", () => {
  const text = readFileSync(join(ROOT, ENGINE_OPTIONS), "utf8");
  const handed = KEYS.filter(
    (key) => HANDED_OVER.test(key) && proofOf(key).files.every((file) => file.startsWith(CORE)),
  );
  expect(handed.length).toBeGreaterThan(12);
  expect(handed.filter((key) => !new RegExp(`\\b${key.split(".").at(-1)}: `).test(text))).toEqual([]);
});

test("the table names no key that is not a setting", () => {
  const used = new Set(KEYS.map((key) => (SHOWN_BY[key] ? key : key.replace(/^(subagents)\.[a-z-]+\./, "$1.*."))));
  expect(Object.keys(SHOWN_BY).filter((key) => !used.has(key))).toEqual([]);
  expect(RESERVED_KEYS.filter((key) => !KEYS.includes(key) || shownBy(key) !== undefined)).toEqual([]);
});

test.each(RESERVED_KEYS)("%s, which does nothing in this release, is named in a warning", async (key) => {
  const home = mkdtempSync(join(tmpdir(), "unused-"));
  try {
    const [section, name] = key.split(".");
    await mkdir(join(home, "config"));
    writeFileSync(join(home, "config", "agent-config.yaml"), `${section}: { ${name}: true }\n`);
    const { warnings } = loadServerSettings({ env: { SVC_HOME: home, SVC_CONFIG_DIR: join(home, "config") } });
    expect(warnings).toEqual([expect.stringMatching(`agent-config.yaml:1: ${key}: not used by this release$`)]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
