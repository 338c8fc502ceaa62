import type { AnyTool } from "@agent-service/plugin-sdk";
import { middlewareSection } from "../audit/index.ts";
import { defineFeature, featureKey } from "../feature/index.ts";
import { contextSection, type OpenKnowledge } from "../knowledge/index.ts";
import { sessions } from "../session/index.ts";
import { traces } from "../tracing/index.ts";
import { Digest } from "./digest.ts";
import { memorySection } from "./memory-section.ts";
import { SessionSources } from "./session-source.ts";
import { sessionTools } from "./session-tools.ts";
import { Summaries } from "./summaries.ts";
import { SummaryFolder } from "./summary-folder.ts";
import { SummaryIndex } from "./summary-index.ts";

const knowledge = featureKey<"knowledge", OpenKnowledge>("knowledge");

/** Where summaries of conversations are kept. */
export interface MemoryFeatureOptions {
  /** The folder of the summaries, absolute. Asked at each use; made at the first write. */
  readonly folder: () => string;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
  /** `file:…` or `:memory:`: where the summaries are indexed. */
  readonly url: () => string | Promise<string>;
  /** Whether the index has been made: reading makes none. */
  readonly exists: () => boolean;
  /** No summary is written, whatever the settings say (`SVC_DISABLE_MEMORY`). */
  readonly disabled: boolean;
}

/** What the feature opens. */
export interface OpenMemory {
  readonly tools: readonly AnyTool[];
  readonly summaries: Summaries;
  readonly digest: Digest;
}

/** Earlier conversations: a summary of each, and lines of them for new ones. */
export function memory({ folder, makeFolder, url, exists, disabled }: MemoryFeatureOptions) {
  return defineFeature({
    name: "memory",
    needs: [knowledge, sessions, traces],
    sections: [memorySection, contextSection, middlewareSection],
    topics: ["memory.changed"],
    open({ db, clock, bus, log, redactor, feed, openStore }, { needs, settings }): OpenMemory {
      const index = new SummaryIndex(openStore({ schema: "memory", url, synchronous: "normal" }));
      const digest = new Digest({
        ...{ index, exists },
        settings: () => ({
          policy: settings.context.prior_sessions,
          sessions: settings.memory.max_sessions,
          tokens: settings.memory.max_tokens,
        }),
      });
      const summaries = new Summaries({
        ...{ index, exists, clock },
        sources: new SessionSources(db),
        folder: new SummaryFolder(folder, makeFolder),
        writes: () => !disabled && settings.middleware.memory,
        current: () => feed.idle(needs.sessions.index),
        traceOf: (task) => needs.tracing.traceOf(task, undefined),
        redact: (text) => redactor.text(text),
        onChange(session_id) {
          digest.noteChange();
          bus.publish("memory.changed", { session_id, action: "summary" });
        },
        onFailure: (error) => log.warn(`summaries of conversations cannot be written now: ${String(error)}`),
      });
      needs.knowledge.recall.usePriorSessions(digest.read);
      needs.knowledge.forgetting.useSummaries(summaries);
      return { tools: sessionTools(summaries), summaries, digest };
    },
    tools: ({ tools }) => tools,
    onCommit: ({ summaries }, view, events) => summaries.onCommit(view, events),
    forgetSession: ({ summaries }, session) => summaries.forget(session),
    start: ({ summaries }) => summaries.start(),
    close: ({ summaries }) => summaries.close(),
  });
}
