import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import { FenceRefusal } from "../fence/index.ts";
import { fileArguments, pathArgument, projectArgument } from "../filesystem/index.ts";
import {
  type ChangeToolParts,
  irreversibleText,
  madeText,
  OF_CHANGES,
  previewOf,
  reconciled,
  wantedOf,
} from "./change-tool.ts";

const REMOVED = { access: "delete", content: () => undefined } as const;
/** Calls that were refused and are about to be run; more are never open at once. */
const MOST_REFUSED = 1_000;

/** `delete_file(path, project?)` (F6). A person is asked each time, whatever the settings, grants or the turn say (F9). */
export function deleteFile(parts: ChangeToolParts): AnyTool {
  const { history } = parts;
  /** Calls that need no approval, because they cannot be carried out. */
  const refused = new Map<string, FenceRefusal>();
  return defineTool({
    name: "delete_file",
    description: "Delete a file of a project. A person is asked first.",
    input: fileArguments({ path: pathArgument, project: projectArgument }),
    effect: "effect",
    ...OF_CHANGES,
    present: { asks: "Delete {path}?", doing: "Deleting {path}", done: "Deleted {path}" },
    async approval(input, { callId }) {
      try {
        const reason = await history.irreversible({ ...input, access: "delete" });
        const detail =
          reason === undefined
            ? "What it holds is kept: the deletion can be undone."
            : `This cannot be undone: ${irreversibleText(reason)}.`;
        const where = input.project === undefined ? "" : `In the project ${input.project}. `;
        return { title: `Delete ${input.path}?`, detail: `${where}${detail}`, always: true };
      } catch (error) {
        if (!(error instanceof FenceRefusal)) throw error;
        if (refused.size >= MOST_REFUSED) refused.clear();
        refused.set(callId, error);
        return undefined;
      }
    },
    preview: (input) => previewOf(parts, { ...input, ...REMOVED }),
    async run(input, context) {
      // It may have become possible since, and has no approval.
      const refusal = refused.get(context.callId);
      refused.delete(context.callId);
      if (refusal !== undefined) throw refusal;
      return madeText(await history.change(wantedOf(input, context, REMOVED)));
    },
    reconcile: (_input, context) => reconciled(history, context),
  });
}
