import type { Engine } from "../../feature/index.ts";
import { KNOWLEDGE_LIMITS, type OpenKnowledge } from "../../knowledge/index.ts";
import type { SessionServices } from "../../session/index.ts";
import type { SessionSources } from "../session-source.ts";
import { HarvestRows } from "./harvest-rows.ts";
import { readHarvestSource } from "./harvest-source.ts";
import { contextOf, HarvestTasks } from "./harvest-tasks.ts";
import { type HarvestSettings, Harvests } from "./harvests.ts";

/** Known facts that a model is shown. */
const MOST_KNOWN = 10;

export interface HarvestParts {
  readonly knowledge: Pick<OpenKnowledge, "operations" | "remember">;
  readonly sessions: SessionServices;
  readonly sources: Pick<SessionSources, "about">;
  /** `model` undefined: the lead. Read at each use. */
  readonly settings: () => HarvestSettings & { readonly model: string | undefined };
}

/** Harvests over the conversations of an engine. */
export function openHarvests(engine: Engine, { knowledge, sessions, sources, settings }: HarvestParts): Harvests {
  const { db, clock, log, redactor, newId, service, forgetSession } = engine;
  const rows = new HarvestRows(db);
  const erase = async (task: string): Promise<void> => {
    await forgetSession(contextOf(task), true);
    await sessions.removal.eraseTurns(contextOf(task), [task]);
  };
  return new Harvests({
    ...{ rows, clock, settings, erase },
    tasks: new HarvestTasks({ rows, service, newId, erase, model: () => settings().model }),
    source: (session, upto) => readHarvestSource(db, { session, upto, redact: (text: string) => redactor.text(text) }),
    about: (session) => sources.about(session),
    async known(text) {
      const { chunks } = await knowledge.operations.search(text, { domain: "fact" }, MOST_KNOWN, "keyword");
      return chunks.map(({ id, subject, content }) => ({
        id,
        fact: `${subject}: ${content}`.slice(0, KNOWLEDGE_LIMITS.reason),
      }));
    },
    remember: knowledge.remember,
    subjectOf: (id) => knowledge.operations.find(id),
    isActive: async (session) => (await sessions.catalog.read(session)).active,
    remove: async (session) => void (await sessions.removal.remove(session, { retire: true, alone: true })),
    warn: (message) => log.warn(message),
  });
}
