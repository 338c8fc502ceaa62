import { type Clock, createAgentCore, knowledge, systemClock } from "@agent-service/agent-core/host";
import { scriptedModel } from "@agent-service/agent-core/testing";
import type { SettingsSection } from "@agent-service/plugin-sdk";
import type { Note } from "./corpus/note.ts";

export interface MemoryOptions {
  /** The store's address; `:memory:` for one that is gone afterwards. */
  readonly url: string;
  /** Where texts become vectors; absent: memories are found by words alone. */
  readonly embeddings?: string | undefined;
  /** The engine's own store. Default: in memory. */
  readonly engineStore?: string;
}

/** More than any recall takes: what is slow is to be seen, and not left out. */
const NO_LIMIT_MS = 60_000;
/** A window of a model that no frame fills. */
const WINDOW_TOKENS = 200_000;
const POLL_MS = 20;

function openCore({ url, embeddings, engineStore = ":memory:" }: MemoryOptions, clock: Clock) {
  const feature = knowledge({
    ...{ url: () => url, exists: () => true },
    embeddingServer: (name) =>
      embeddings === undefined ? undefined : { baseUrl: embeddings, apiKey: "", model: name, name },
  });
  const changed: { readonly [section: string]: object } = {
    knowledge: { embeddings: embeddings !== undefined, recall_timeout_ms: NO_LIMIT_MS },
  };
  return createAgentCore({
    ...{ store: engineStore, model: { model: scriptedModel([]), name: "none" }, features: [feature], clock },
    settings: (section) => valuesOf(section, changed[section.name] ?? {}),
  });
}

function valuesOf({ schema }: SettingsSection, values: object): unknown {
  const result = schema["~standard"].validate(values);
  if (result instanceof Promise || result.issues !== undefined) throw new Error("these are no values of the section");
  return result.value;
}

/** An engine that remembers and does nothing else, with the functions that the service has. */
export async function openMemory(options: MemoryOptions) {
  let day: number | undefined;
  const system = systemClock();
  const core = await openCore(options, { ...system, now: () => day ?? system.now() });
  const { recall, remember, operations } = core.features.knowledge;
  return {
    core,
    /** Stores notes as the agent does, each on its day. @returns the numbers of the notes, by their keys */
    async fill(notes: readonly Note[]): Promise<ReadonlyMap<string, number>> {
      const numbers = new Map<string, number>();
      for (const { key, domain, subject, content, session, day: on } of notes.toSorted((a, b) =>
        a.day < b.day ? -1 : 1,
      )) {
        day = Date.parse(on);
        const memory = { domain, subject, content, session, kind: "note", heading: "", policy: "retrieved" } as const;
        const more = { expiresAt: undefined, trust: "agent", held: undefined, task: key } as const;
        numbers.set(key, (await remember({ ...memory, ...more }, key)).id);
      }
      day = undefined;
      return numbers;
    },
    /** Resolves once every memory has a vector. */
    async indexed(): Promise<void> {
      while ((await operations.search("anything", {}, 1, "auto")).isIndexing)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    },
    /** Numbers of the memories that a message is answered with, the best first. */
    async recalled(text: string): Promise<readonly number[]> {
      const frame = await recall.recall({ text, inSight: new Set(), windowTokens: WINDOW_TOKENS });
      return (frame?.record.items ?? []).map(({ chunk }) => chunk);
    },
    /** The same for a search that somebody makes. */
    async found(text: string, limit: number, mode: "keyword" | "vector" | "auto" = "auto"): Promise<readonly number[]> {
      return (await operations.search(text, {}, limit, mode)).chunks.map(({ id }) => id);
    },
    close: () => core.stop({ graceMs: 0 }),
  };
}

export type OpenMemory = Awaited<ReturnType<typeof openMemory>>;
