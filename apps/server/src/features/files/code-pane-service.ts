/** A project's files and what differs in them, for operators: through the fence, without known secrets (F24, F25, S5). */
import { dirname, join, posix } from "node:path";
import {
  type Fence,
  FenceRefusal,
  type FenceRefusalCode,
  GitError,
  type Located,
  processEnvironment,
  removeLeftReadings,
  workTreeDiff,
} from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { type CodePaneService, Problem, type ProjectDiff } from "@agent-service/operator-api";
import type { RunningHost } from "../../service-feature/index.ts";
import { checkRange, readFilePage } from "./file-page.ts";
import { languageOf } from "./language-of.ts";

type Host = Pick<RunningHost, "settings" | "core" | "clock" | "redactor">;

const STATUS: { readonly [Code in FenceRefusalCode]: readonly [status: number, code: string] } = {
  "fence.bad-path": [400, "bad_path"],
  "fence.unknown-project": [400, "bad_path"],
  "fence.outside": [400, "bad_path"],
  "fence.denied": [403, "denied"],
  "fence.missing": [404, "not_found"],
  "fence.not-a-file": [400, "not_a_file"],
  "fence.not-a-folder": [400, "not_a_file"],
  "fence.read-only": [403, "denied"],
  "fence.deletes-forbidden": [403, "denied"],
  "fence.unreadable": [400, "unreadable"],
  "fence.too-large": [400, "unreadable"],
  "fence.changed": [400, "unreadable"],
};

/** The code pane over the running service; every answer is 404 `disabled` while it is off. */
export function codePaneService(fence: Fence, { settings, core, clock, redactor }: Host): CodePaneService {
  const scratch = join(settings.paths.home, settings.instance.id, "git-read");
  const left = removeLeftReadings(scratch);
  const requireOn = (): void => {
    const { enabled, code_pane } = settings.filesystem;
    if (!enabled || !code_pane) throw refusal(404, "disabled", "The code pane is off: filesystem.code_pane.");
  };
  const environment = (): Record<string, string> =>
    processEnvironment({ inherited: process.env, writable: fence.projects.reachable.map(({ root }) => root) });
  return {
    async file({ project, path, start, end }, signal) {
      requireOn();
      const located = await openFile(fence, project, path);
      try {
        const range = checkRange(start, end);
        const page = await readFilePage(located, range, signal);
        const { named } = located;
        const text = page.text === null ? null : redactor.known(page.text);
        return { project: named.name, path: located.pathInNamed, language: languageOf(path), ...page, text };
      } catch (error) {
        throw problemOf(error);
      } finally {
        await located.close();
      }
    },
    async diff(name) {
      requireOn();
      const project = fence.projects.find(name);
      if (project === undefined) throw refusal(400, "bad_path", `There is no project ${JSON.stringify(name)}.`);
      await left;
      makeFolder(dirname(scratch));
      const without = { project: project.name, is_git: false, head: null, branch: null, files: [], patch: "" };
      try {
        const found = await workTreeDiff({ fence, programs: core.processes, clock, environment, scratch }, project);
        if (found === undefined) return { ...without, truncated: false };
        const { files, patch, ...shown } = found;
        return {
          ...{ project: project.name, is_git: true, ...shown },
          ...{ files: files.map(fileRow), patch: redactor.known(patch) },
        };
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        if (error.code === "git.timeout") throw new Problem(504, "Git took longer than 10 seconds.", { cause: error });
        return { ...without, truncated: false, reason: error.message };
      }
    },
  };
}

function fileRow(
  file: NonNullable<Awaited<ReturnType<typeof workTreeDiff>>>["files"][number],
): ProjectDiff["files"][number] {
  const { oldPath, tooLarge, ...row } = file;
  return { ...row, ...(oldPath !== undefined && { old_path: oldPath }), ...(tooLarge && { too_large: tooLarge }) };
}

async function openFile(fence: Fence, project: string, path: string): Promise<Located> {
  if (project === "" || path === "") throw refusal(400, "bad_path", "Name a project and a path in it.");
  // Before a name is looked at: a path out of the project is that, whatever it names.
  if (!path.startsWith("/") && posix.normalize(path).startsWith("../"))
    throw refusal(400, "bad_path", "The path leads out of the project.");
  try {
    return await fence.open({ project, path, for: "read" });
  } catch (error) {
    throw problemOf(error);
  }
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof FenceRefusal)) return error;
  const [status, code] = STATUS[error.code];
  return refusal(status, code, `${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}.`);
}

function refusal(status: number, code: string, reason: string): Problem {
  return new Problem(status, { code, reason });
}
