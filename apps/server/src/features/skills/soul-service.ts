import { DatabaseError, SkillError, type SoulHistory } from "@agent-service/agent-core/host";
import { Problem, type SoulService } from "@agent-service/operator-api";
import { asSentence } from "../../surfaces/operator/index.ts";

/** The versions of the persona, for the operator API. */
export function soulService(history: SoulHistory, redact: (text: string) => string): SoulService {
  return {
    async versions(wanted) {
      const all = await history.list().catch(refused);
      const listed = wanted === undefined ? all : all.filter(({ no }) => no === wanted);
      if (wanted !== undefined && listed.length === 0) throw new Problem(404, "There is no such version.");
      return Promise.all(
        listed.map(async ({ no, at, author, reason, session, chars }) => ({
          ...{ version: no, at: new Date(at).toISOString(), author, reason: redact(reason), chars: chars ?? 0 },
          session_id: session === "" ? null : session,
          ...(wanted !== undefined && { text: await history.read(no).catch(refused) }),
        })),
      );
    },
    restore(version, key) {
      const call = key === undefined ? undefined : `request:${key}`;
      return history
        .restore(version, { author: "operator", reason: `Restored version ${version}`, call })
        .catch(refused);
    },
  };
}

function refused(error: unknown): never {
  if (error instanceof SkillError) throw new Problem(404, asSentence(error.message));
  if (error instanceof DatabaseError && ["in_use", "unwritable"].includes(error.code))
    throw new Problem(503, `The versions of the persona cannot be kept: ${error.message}`, { retryAfter: 10 });
  throw error;
}
