import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  db_path: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(4096)), "/sandbox/knowledge/agent.db"),
  scope: v.optional(v.picklist(["", "scoped", "shared", "layered"]), ""),
  commons_path: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(4096)), ""),
  embeddings: v.optional(v.boolean(), false),
  embed_model: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(256)), "qwen3-embedding"),
  top_k: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(100)), 5),
  recall_timeout_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000)), 250),
  hot_write_confirm: v.optional(v.boolean(), false),
  facts: v.optional(v.boolean(), true),
  harvest_idle_minutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), 30),
  harvest_model: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(256)), ""),
});

export type KnowledgeSectionValue = v.InferOutput<typeof schema>;

/** The section `knowledge`: what the agent remembers beyond a conversation. */
export const knowledgeSection = {
  name: "knowledge",
  title: "Knowledge",
  category: "Behavior",
  description: "What the agent remembers beyond a conversation, and where it is kept.",
  schema,
  variables: {
    db_path: {
      variable: "KNOWLEDGE_DB_PATH",
      mode: "override",
      meaning: "File of the agent's memory, or the address of a libSQL server; overrides the setting.",
    },
  },
  fields: {
    db_path: {
      label: "Store",
      description:
        "A file, or the address of a libSQL server; blank keeps it in memory only. Where the file cannot be written, knowledge/agent.db in the instance's folder of the home is used. The default lies in the home where there is no /sandbox.",
      type: "path",
      path_kind: "file",
      restart: true,
    },
    scope: {
      label: "Shared memories and skills",
      description:
        "scoped (or blank): this agent's own. layered: those of the commons too; own ones are written and can be promoted. shared: those of the commons alone, which are written there; what this agent has of its own waits until the scope is another one.",
      type: "select",
      options: ["", "scoped", "shared", "layered"],
    },
    commons_path: {
      label: "Commons",
      description: "The folder that agents of this machine share. Blank: commons in the home.",
      type: "path",
      path_kind: "dir",
    },
    embeddings: {
      label: "Search by meaning",
      description:
        "Find memories by what they say beside the words they have. Memories, and what they are searched for with, are sent to the model below. While that does not answer, words alone count.",
      type: "bool",
    },
    embed_model: {
      label: "Embedding model",
      description:
        "The model that texts are compared by: a name for the first gateway, or <connection>:<model>. With another one all memories are sent to it anew.",
      type: "string",
    },
    top_k: {
      label: "Memories for a turn",
      description:
        "Most memories that are put before the model because they fit the message; 0 and less: none. Always-on memory is shown beside them.",
      type: "number",
    },
    recall_timeout_ms: {
      label: "Time to recall",
      description: "Milliseconds that a turn waits for its memory. What is late is left out.",
      type: "number",
    },
    hot_write_confirm: {
      label: "Ask for always-on memory",
      description: "Refuse the agent's own writes of always-on memory, so that it asks you first.",
      type: "bool",
    },
    facts: {
      label: "Extract facts",
      description: "Extract facts from conversations that rest, beside a summary.",
      type: "bool",
    },
    harvest_idle_minutes: {
      label: "Rest before extracting",
      description:
        "Minutes without a message after which memories are extracted from a conversation with two new turns. 0: only before it is removed. It counts where a model for it is set (below, or routing.aux_model) or the lead costs nothing.",
      type: "number",
      minimum: 0,
    },
    harvest_model: {
      label: "Model that extracts",
      description: "The model that extracts memories from conversations. Blank: routing.aux_model, else the lead.",
      type: "string",
    },
  },
} as const satisfies SettingsSection;
