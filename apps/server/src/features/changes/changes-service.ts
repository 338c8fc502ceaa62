import { type FileChanges, FileHistoryError, type ListedChange } from "@agent-service/agent-core/host";
import { type ChangeRow, type ChangesService, Problem } from "@agent-service/operator-api";

/** Changes of files, for the operator API. `redact` takes secrets out of a text (S5). */
export function changesService(changes: FileChanges, redact: (text: string) => string): ChangesService {
  return {
    list: async (of, limit, before) => (await changes.list(of, limit, before)).map((change) => rowOf(change, redact)),
    async diff(of) {
      const { files, patch, truncated } = await changes.diff(of);
      const rows = files.map(({ tooLarge, reason = null, ...file }) => ({ ...file, too_large: tooLarge, reason }));
      return { files: rows, patch, truncated };
    },
    async undo(of, preview) {
      const request = "ids" in of ? of : { tasks: [of.task] };
      const { id, files } = await changes.undo(request, { preview }).catch(refused);
      return { id, files: files.map((file) => ({ ...file, path: redact(file.path) })) };
    },
  };
}

function rowOf(change: ListedChange, redact: (text: string) => string): ChangeRow {
  const { id, task, call, context, project, path, operation, origin, added, removed, bytes, reason, current } = change;
  return {
    ...{ id, task_id: task, call_id: call === "" ? null : call, session_id: context, project, path: redact(path) },
    ...{ op: operation, origin, additions: added, deletions: removed, bytes, current },
    ...{ reversible: reason === undefined, reason: reason ?? null },
    state: change.state === "intended" ? "pending" : change.undoneBy === undefined ? "done" : "undone",
    uncertain: change.uncertain,
    created_at: new Date(change.at).toISOString(),
  };
}

const STATUS: { readonly [code: string]: number } = {
  "file-history.unknown": 404,
  "file-history.running": 409,
  "file-history.too-many": 400,
};

/** The HTTP error of what an undo refuses. */
function refused(error: unknown): never {
  const status = error instanceof FileHistoryError ? STATUS[error.code] : undefined;
  if (status === undefined) throw error;
  const { message } = error as FileHistoryError;
  throw new Problem(status, `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`);
}
