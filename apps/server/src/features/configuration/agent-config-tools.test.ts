import { agentMayChange, keysOf, type Section } from "@agent-service/config";
import { expect, it } from "vitest";
import { SECTIONS } from "../../settings/index.ts";
import { agentConfigTools } from "./agent-config-tools.ts";

const allKeys = SECTIONS.flatMap((section: Section) =>
  keysOf(section.schema).map(({ key }) => `${section.name}.${key}`),
);

/** What `set_config` answers, and whether anything reached the files. */
async function saved(updates: { readonly [key: string]: unknown }) {
  const edits: unknown[] = [];
  const saver = {
    save(all: readonly unknown[]) {
      edits.push(...all);
      return Promise.resolve({ ok: true, messages: [], restart_required: [], revision: "" } as const);
    },
  };
  const settings = { settings: {} } as Parameters<typeof agentConfigTools>[0];
  const tool = agentConfigTools(settings, saver).find(({ name }) => name === "set_config");
  const context = { caller: { class: "operator" } } as Parameters<NonNullable<typeof tool>["run"]>[1];
  const answer = await Promise.resolve(tool?.run({ updates }, context)).then(
    () => "saved",
    (error: unknown) => (error as Error).message,
  );
  return { answer, edits: edits.length };
}

it("lets the agent change these settings and refuses every other one of the schema (B89 set_config)", async () => {
  expect(allKeys.filter((key) => agentMayChange(SECTIONS, key))).toEqual([
    "model.temperature",
    "model.max_tokens",
    "model.reasoning_effort",
    "model.request_timeout",
    "model.max_retries",
    "model.top_p",
    "model.presence_penalty",
    "model.repetition_penalty",
    "model.top_k",
    "prompt_cache.enabled",
    "prompt_cache.ttl",
    "pruning.enabled",
    "pruning.at_fraction",
    "pruning.keep_messages",
    "pruning.min_chars",
    "compaction.enabled",
    "compaction.trigger",
    "compaction.keep_messages",
    "subagents.output_truncate",
  ]);
  for (const key of allKeys.filter((one) => !agentMayChange(SECTIONS, one)))
    expect(await saved({ "model.top_k": 3, [key]: null })).toEqual({
      answer: `nothing was saved: only a person may change ${key}`,
      edits: 0,
    });
});

it.each([
  ["the store", "checkpoint.db_path"],
  ["the store of numbers", "telemetry.db_path"],
  ["the audit log", "middleware.audit"],
  ["what is kept of prompts", "prompts.capture"],
  ["how long prompts are kept", "prompts.retention_days"],
  ["how long the journal is kept", "journal.retention_days"],
  ["a subagent's tools", "subagents.researcher.tools"],
  ["whether traces are sent", "tracing.enabled"],
  ["where searches go", "web_search.base_url"],
  ["whom the conversation is sent to", "model.name"],
  ["its own bounds", "model.round_hard_cap"],
  ["a section without an owner in this release", "mcp.servers"],
  ["a setting that does not exist", "model.unknown"],
])("refuses %s with the whole write", async (_what, key) => {
  expect(await saved({ "model.top_k": 3, [key]: "x" })).toEqual({
    answer: `nothing was saved: only a person may change ${key}`,
    edits: 0,
  });
});
