/** The agent's way to read documents into its memory (K23). */
import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Fence } from "../fence/index.ts";
import { KNOWLEDGE_LIMITS, type Sources } from "../knowledge/index.ts";
import { readPlace } from "./read-place.ts";

export interface IngestToolOptions {
  readonly sources: Pick<Sources, "fetch" | "hand" | "ready">;
  readonly fence: Fence;
  /** Whether always-on memory is for the operator alone to write. Asked at each write. */
  readonly confirmsAlwaysOn: () => boolean;
}

/** `knowledge_ingest(source, domain='general', title)`. */
export function ingestTool({ sources, fence, confirmsAlwaysOn }: IngestToolOptions): AnyTool {
  return defineTool({
    name: "knowledge_ingest",
    description:
      "Read a document into memory, so that its parts are found later: a web address, or a file of a project.",
    input: v.object({
      source: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.description("http or https address, or a path.")),
      domain: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(KNOWLEDGE_LIMITS.domain)), "general"),
      title: v.optional(v.string(), ""),
    }),
    effect: "idempotent",
    deferred: true,
    ...{ availableTo: ["lead", "subagents"], content: "own" },
    present: { asks: "Read {source} into memory?", doing: "Reading {source}", done: "Read {source} into memory" },
    async run({ source, domain, title }, { caller, contextId, taskId, signal }) {
      if (caller.incognito) return "This conversation keeps no memory.";
      const isAlways = /^\s*hot\s*$/i.test(domain);
      if (isAlways && confirmsAlwaysOn())
        return "Not read: always-on memory needs the operator: ask, or choose another domain.";
      const document = /^https?:/i.test(source)
        ? await sources.fetch(source, signal)
        : await readPlace(source, fence, signal);
      const handed = await sources.hand({
        ...{ ...document, domain, title, session: contextId, task: taskId },
        held: isAlways ? "it comes from outside" : undefined,
      });
      const { chunks } = await sources.ready(handed.id, signal);
      const wait = isAlways ? " They wait for review." : "";
      return `Read source ${handed.id}: ${chunks.length} memories in '${handed.domain}'.${wait}`;
    },
  });
}
