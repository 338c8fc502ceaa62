import type { AnyTool } from "@agent-service/plugin-sdk";
import { middlewareSection } from "../audit/index.ts";
import { defineFeature, type Engine, featureKey } from "../feature/index.ts";
import { contextSection, knowledgeSection, type OpenKnowledge } from "../knowledge/index.ts";
import { costsNothing, type KnownPrice, routingSection } from "../model/index.ts";
import { sessions } from "../session/index.ts";
import { traces } from "../tracing/index.ts";
import { Digest } from "./digest.ts";
import { type Harvests, harvestCost, harvestRoles, openHarvests } from "./harvest/index.ts";
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
  readonly harvests: Harvests;
  /**
   * What the operator has to choose before conversations that rest are read by a model: the lead costs something, or its price is
   * not known, and no other model was named. `cost`: of one, at most, in US dollars. Undefined: there is nothing to choose.
   */
  readonly harvestChoice: () => { readonly cost: number | undefined } | undefined;
}

/** Earlier conversations: a summary of each, and lines of them for new ones. */
export function memory({ folder, makeFolder, url, exists, disabled }: MemoryFeatureOptions) {
  return defineFeature({
    name: "memory",
    needs: [knowledge, sessions, traces],
    sections: [memorySection, contextSection, knowledgeSection, middlewareSection, routingSection],
    topics: ["memory.changed"],
    open(engine, { needs, settings }): OpenMemory {
      const { db, clock, bus, log, redactor, feed, openStore } = engine;
      const writes = (): boolean => !disabled && settings.middleware.memory;
      const index = new SummaryIndex(openStore({ schema: "memory", url, synchronous: "normal" }));
      const digest = new Digest({
        ...{ index, exists },
        settings: () => ({
          policy: settings.context.prior_sessions,
          sessions: settings.memory.max_sessions,
          tokens: settings.memory.max_tokens,
        }),
      });
      const sources = new SessionSources(db);
      const summaries = new Summaries({
        ...{ index, exists, clock },
        sources,
        folder: new SummaryFolder(folder, makeFolder),
        writes,
        current: () => feed.idle(needs.sessions.index),
        traceOf: (task) => needs.tracing.traceOf(task, undefined),
        redact: (text) => redactor.text(text),
        onChange(session_id) {
          digest.noteChange();
          bus.publish("memory.changed", { session_id, action: "summary" });
        },
        onFailure: (error) => log.warn(`summaries of conversations cannot be written now: ${String(error)}`),
      });
      const harvestSettings = () => {
        const { facts, harvest_idle_minutes: idleMinutes, harvest_model } = settings.knowledge;
        const model = harvest_model || settings.routing.aux_model || undefined;
        const asksUnasked = model !== undefined || leadPrice(engine) === "none";
        return { on: writes(), facts, idleMinutes, model, asksUnasked };
      };
      const harvests = openHarvests(engine, {
        ...{ knowledge: needs.knowledge, sessions: needs.sessions, sources },
        settings: harvestSettings,
      });
      needs.knowledge.recall.usePriorSessions(digest.read);
      const { forgetting } = needs.knowledge;
      forgetting.useSummaries(summaries);
      needs.sessions.removal.useForgetting((session) => forgetting.forgetSession(session));
      const harvestChoice = () => {
        const { on, idleMinutes, asksUnasked } = harvestSettings();
        const price = leadPrice(engine);
        if (!on || idleMinutes === 0 || asksUnasked || price === undefined || price === "none") return undefined;
        return { cost: harvestCost(price.known) };
      };
      return { tools: sessionTools(summaries), summaries, digest, harvests, harvestChoice };
    },
    tools: ({ tools }) => tools,
    onCommit: ({ summaries }, view, events) => summaries.onCommit(view, events),
    roles: () => harvestRoles(),
    async forgetSession({ summaries, harvests }, session) {
      await summaries.forget(session);
      await harvests.forget(session);
    },
    deferRemoval: ({ harvests }, session) => harvests.deferRemoval(session),
    start({ summaries, harvests }) {
      summaries.start();
      harvests.start();
    },
    tick: ({ harvests }) => harvests.tick(),
    quiesce: ({ harvests }) => harvests.stop(),
    close: ({ summaries }) => summaries.close(),
  });
}

/** `none`: calls of the lead cost nothing. Commands of its own has the scripted model alone, which has no price. Undefined: no model. */
function leadPrice({
  chooseModel,
}: Pick<Engine, "chooseModel">): "none" | { readonly known: KnownPrice | undefined } | undefined {
  try {
    const { price, commands } = chooseModel(undefined);
    return costsNothing(price) || commands !== undefined ? "none" : { known: price };
  } catch {
    return undefined;
  }
}
