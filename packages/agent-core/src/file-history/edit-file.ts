import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { fileArguments, pathArgument, projectArgument } from "../filesystem/index.ts";
import { isBinary } from "../line-changes/index.ts";
import {
  type ChangeToolParts,
  madeText,
  OF_CHANGES,
  previewOf,
  reconciled,
  refuseMissing,
  wantedOf,
} from "./change-tool.ts";
import { FileHistoryError } from "./file-history-error.ts";
import { type FileState, MOST_FILE_BYTES } from "./file-state.ts";
import { replaceText } from "./replace-text.ts";

const text = v.pipe(v.string(), v.maxLength(MOST_FILE_BYTES));

/** `edit_file(path, old_string, new_string, project?, replace_all=false)` (F6, F8). */
export function editFile(parts: ChangeToolParts): AnyTool {
  const { history, seen } = parts;
  return defineTool({
    name: "edit_file",
    description: "Replace text in a file of a project; the rest stays as it is. old_string must occur exactly once.",
    input: fileArguments({
      path: pathArgument,
      old_string: v.pipe(text, v.nonEmpty("old_string is blank: write_file makes a file")),
      new_string: text,
      project: projectArgument,
      replace_all: v.optional(v.pipe(v.boolean(), v.description("Replace every occurrence.")), false),
    }),
    effect: "effect",
    ...OF_CHANGES,
    present: { asks: "Edit {path}?", doing: "Editing {path}", done: "Edited {path}" },
    preview: ({ path, project, ...edit }) =>
      previewOf(parts, { path, project, access: "write", content: (current) => edited(path, current, edit) }),
    async run({ path, project, ...edit }, context) {
      const of = { path, project };
      let isKnown = false;
      try {
        const made = await history.change(
          wantedOf(of, context, {
            access: "write",
            content(current, located) {
              isKnown = seen.knows(context.contextId, located);
              return edited(path, current, edit);
            },
          }),
        );
        if (isKnown && made.stat !== undefined) seen.note(context.contextId, made, made.stat);
        return madeText(made);
      } catch (error) {
        if (error instanceof FileHistoryError && error.code === "file-history.missing")
          await refuseMissing(history.fence, of);
        throw error;
      }
    },
    reconcile: (_input, context) => reconciled(history, context),
  });
}

/** @throws FileHistoryError where the text is not there as it must be */
function edited(
  path: string,
  current: FileState | undefined,
  edit: { readonly old_string: string; readonly new_string: string; readonly replace_all: boolean },
): Uint8Array {
  const name = JSON.stringify(path);
  const refuse = (why: string): never => {
    throw new FileHistoryError("file-history.no-edit", `${name}: ${why}`);
  };
  if (current === undefined) throw new FileHistoryError("file-history.missing", `${name} does not exist`);
  const { content } = current;
  if (content === undefined) return refuse("it has more than 8 MiB");
  if (isBinary(content)) return refuse("it is no text");
  const replaced = replaceText(content.toString(), edit);
  if (!replaced.ok) return refuse(replaced.why);
  const after = Buffer.from(replaced.text);
  return after.byteLength > MOST_FILE_BYTES ? refuse("it would have more than 8 MiB") : after;
}
