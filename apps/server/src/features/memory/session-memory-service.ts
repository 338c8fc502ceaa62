/** Summaries of conversations as operators see them (K15). */
import { MemoryError, type OpenMemory, renderedSummary } from "@agent-service/agent-core/host";
import { Problem, type SessionMemoryService } from "@agent-service/operator-api";

type Entry = Awaited<ReturnType<OpenMemory["summaries"]["list"]>>[number];

/** A session's id is any text; these are paths. */
const UNSAFE = /(?:^|[\\/])\.{1,2}(?:[\\/]|$)/u;
const MOST_CHARACTERS = 256;

export function sessionMemoryService(
  summaries: Pick<OpenMemory["summaries"], "list" | "read" | "remove">,
  digest: Pick<OpenMemory["digest"], "shown">,
  { harvest, harvesting }: Pick<SessionMemoryService, "harvest" | "harvesting">,
): SessionMemoryService {
  return {
    async list(limit, after) {
      const [entries, shown] = [await summaries.list(limit, after), await digest.shown()];
      return entries.map((entry) => ({ ...rowOf(entry, shown), cursor: { at: entry.at, no: entry.no } }));
    },
    async read(session) {
      check(session);
      const { entry, summary } = await refusing(() => summaries.read(session));
      return {
        ...rowOf(entry, await digest.shown()),
        ...{ trace_id: summary.trace_id, rendered: renderedSummary(summary) },
      };
    },
    async harvest(session) {
      check(session);
      return refusing(() => harvest(session));
    },
    harvesting,
    async remove(session) {
      check(session);
      if (!(await summaries.remove(session))) throw unknownSession();
    },
  };
}

function rowOf({ session, at, surface, topic, messages, bytes }: Entry, shown: ReadonlySet<string>) {
  return {
    ...{ session_id: session, timestamp: new Date(at).toISOString(), surface, topic },
    ...{ message_count: messages, size_bytes: bytes, in_digest: shown.has(session) },
  };
}

function unknownSession(): Problem {
  return new Problem(404, "There is no summary of this conversation; GET /api/memory/sessions lists those there are.");
}

/** @throws Problem 400 */
function check(session: string): void {
  if (session.length > MOST_CHARACTERS || UNSAFE.test(session))
    throw new Problem(400, "This cannot be the id of a conversation.");
}

/** @throws Problem 404, 422, 502 */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    if (error.code === "unknown_session") throw unknownSession();
    if (error.code === "harvest_failed")
      throw new Problem(502, `No memories were extracted: ${error.message}.`, { cause: error });
    throw new Problem(422, `The summary is damaged: ${error.message}.`, { cause: error });
  }
}
