/** Edits of a whole session, over the engine (O8; EN7). */
import { ModelConfigError, type SessionServices, type TaskHandle } from "@agent-service/agent-core/host";
import { Problem, type SessionEditsService, type UndoneFileRow } from "@agent-service/operator-api";

export interface SessionEditsParts {
  readonly sessions: Pick<SessionServices, "catalog" | "edits" | "removal" | "versions">;
  /** Checks a model value; raises `ModelConfigError` for an unknown one. */
  readonly checkModel: (value: string) => void;
  /** Extracts memories first. False: there is nothing to extract. @throws Problem 502 */
  readonly harvest: (id: string) => Promise<boolean>;
  /** What stays of what a session left. `forgets`: its memories go with it. */
  readonly staying: (
    id: string,
    forgets: boolean,
  ) => Promise<{ readonly skills: readonly string[]; readonly facts: number | null }>;
  /** Takes back what turns changed in files. @throws Problem */
  readonly undoTurns: (turns: readonly string[]) => Promise<readonly UndoneFileRow[]>;
}

export function sessionEditsService({
  sessions,
  checkModel,
  undoTurns,
  harvest: harvestSession,
  staying,
}: SessionEditsParts): SessionEditsService {
  const { edits, removal, catalog, versions } = sessions;
  /** @throws Problem 400 for an unknown model */
  const check = (model: string | undefined): void => {
    try {
      if (model !== undefined) checkModel(model);
    } catch (error) {
      if (error instanceof ModelConfigError) throw new Problem(400, error.message, { cause: error });
      throw error;
    }
  };
  return {
    async remove(id, { retire, forget, harvest }) {
      if (harvest) await catalog.read(id);
      const harvested = harvest && (await harvestSession(id));
      // Read before: afterwards nothing names the session any more.
      const kept = await staying(id, forget);
      const { chunks, frames, summaries, sources, attachments } = await removal.remove(id, { retire, forget });
      return { harvested, forgotten: forget ? { chunks, frames, summaries, sources, attachments } : null, kept };
    },
    async rewind(id, turn, { keep, undo, key }) {
      let files: Awaited<ReturnType<typeof undoTurns>> = [];
      const beforehand = async (turns: readonly string[]): Promise<void> => {
        files = await undoTurns(turns);
      };
      const removed = await edits.rewind(id, turn, { keep, key, ...(undo && { beforehand }) });
      return { removed, files };
    },
    fork: async (id, from, key) => catalog.read(await edits.fork(id, from, key)),
    async regenerate(id, how, key) {
      check(how.model);
      return (await edits.regenerate(id, how, key)).id;
    },
    async addVersion(id, turn, how, key) {
      check(how.model);
      const { id: task, view } = await versions.add(id, turn, how, key);
      return { session: view.context, task };
    },
    async compact(id, signal, key) {
      const handle = await edits.compact(id, key);
      const view = await handle.settled(signal);
      const [part] = view.answer ?? [];
      const message = view.failure?.message ?? (part?.kind === "text" ? part.text : "The turn was canceled.");
      return { task: handle.id, message, ...(await outcomeOf(handle, signal)) };
    },
  };
}

/** The turn's note of its compaction. */
async function outcomeOf(
  handle: TaskHandle,
  signal: AbortSignal,
): Promise<{ readonly summarised: number; readonly kept: number }> {
  for await (const page of handle.follow(0, signal)) {
    for (const { event } of page) {
      if (event.kind === "context.compacted") return { summarised: event.summarised, kept: event.kept };
    }
  }
  return { summarised: 0, kept: 0 };
}
