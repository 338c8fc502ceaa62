/** Hand-off to an editor through the API (F26): what is asked is checked here, with the fence's own words. */
import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import {
  type EventBus,
  type Fence,
  FenceRefusal,
  type FenceRefusalCode,
  type ReachableProject,
  type Sessions,
  UnknownSessionError,
} from "@agent-service/agent-core/host";
import { type EditorHandoffService, Problem } from "@agent-service/operator-api";
import type { HandoffOffers } from "./handoff-offers.ts";

const MOST_CWD = 4_096;
/** A path that is in the project, whatever is there: the editor looks. */
const INSIDE: ReadonlySet<FenceRefusalCode> = new Set<FenceRefusalCode>([
  "fence.missing",
  "fence.not-a-file",
  "fence.unreadable",
]);

interface HandoffParts {
  readonly fence: Fence;
  readonly sessions: Pick<Sessions, "read">;
  readonly offers: HandoffOffers;
  readonly bus: Pick<EventBus, "publish">;
}

export function editorHandoffService({ fence, sessions, offers, bus }: HandoffParts): EditorHandoffService {
  const isThere = async (session: string): Promise<boolean> => {
    try {
      await sessions.read(session);
      return true;
    } catch (error) {
      if (error instanceof UnknownSessionError) return false;
      throw error;
    }
  };
  return {
    async offer({ session_id: session, project: name, path, line, title }) {
      if (session === "") throw bad("Name the session: session_id.");
      if (path !== null && name === null) throw bad("A path needs a project.");
      if (!isLine(line)) throw bad("A line is a whole number from 1.");
      if (!(await isThere(session))) throw refusal(404, "not_found", "There is no such session.");
      const project = name === null ? undefined : findProject(fence, name);
      if (project !== undefined && path !== null) await checkPath(fence, project, path);
      const offer = offers.add({ session, project, path, line, title });
      bus.publish("handoff.offered", { id: offer.id, session_id: session });
      return { id: offer.id, expires_at: new Date(offer.expiresAt).toISOString(), root: project?.root ?? null };
    },

    async claim({ cwd }) {
      if (!isAbsolute(cwd) || cwd.length > MOST_CWD || cwd.includes("\0"))
        throw bad(`cwd is the absolute path of a folder, at most ${MOST_CWD} characters.`);
      const folder = await realpath(cwd).catch(() => resolve(cwd));
      for (;;) {
        const offer = offers.claim(folder);
        if (offer === undefined) return undefined;
        const { id, session, project, path, line, title } = offer;
        // It may have been deleted while its offer was made.
        if (!(await isThere(session))) continue;
        bus.publish("handoff.claimed", { id, session_id: session });
        return { session_id: session, project: project?.name ?? null, path, line, title };
      }
    },
  };
}

function isLine(line: unknown): line is number | null {
  return line === null || (Number.isSafeInteger(line) && (line as number) > 0);
}

function findProject(fence: Fence, name: string): ReachableProject {
  const project = fence.projects.find(name);
  if (project === undefined) throw refusal(400, "unknown_project", `There is no project ${JSON.stringify(name)}.`);
  return project;
}

/** @throws Problem 400 `bad_path` for one that leads out of the project or names what holds secrets */
async function checkPath(fence: Fence, project: ReachableProject, path: string): Promise<void> {
  try {
    await (await fence.open({ project: project.name, path, for: "read" })).close();
  } catch (error) {
    if (!(error instanceof FenceRefusal)) throw error;
    if (!INSIDE.has(error.code))
      throw refusal(400, "bad_path", `${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}.`);
  }
}

function bad(reason: string): Problem {
  return refusal(400, "bad_request", reason);
}

function refusal(status: number, code: string, reason: string): Problem {
  return new Problem(status, { code, reason });
}
