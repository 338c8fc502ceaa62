import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Located } from "../fence/index.ts";
import { fileArguments, pathArgument, projectArgument } from "../filesystem/index.ts";
import { type ChangeToolParts, madeText, OF_CHANGES, previewOf, reconciled, wantedOf } from "./change-tool.ts";
import { FileHistoryError } from "./file-history-error.ts";
import { type FileState, MOST_FILE_BYTES } from "./file-state.ts";

/** `write_file(path, content, project?)` (F6, F8). A file that is there is overwritten only where this conversation knows it. */
export function writeFile(parts: ChangeToolParts): AnyTool {
  const { history, seen } = parts;
  return defineTool({
    name: "write_file",
    description: "Write a whole file of a project. One that is there must have been read in this conversation.",
    input: fileArguments({
      path: pathArgument,
      content: v.pipe(
        v.string(),
        v.check((text) => Buffer.byteLength(text) <= MOST_FILE_BYTES, "a file may have at most 8 MiB"),
      ),
      project: projectArgument,
    }),
    effect: "effect",
    ...OF_CHANGES,
    present: { asks: "Write {path}?", doing: "Writing {path}", done: "Wrote {path}" },
    preview: ({ content, ...of }) => previewOf(parts, { ...of, access: "write", content: () => Buffer.from(content) }),
    async run({ content, ...of }, context) {
      const bytes = Buffer.from(content);
      const known = (current: FileState | undefined, located: Located): Uint8Array => {
        if (current !== undefined && !seen.knows(context.contextId, located)) throw notRead(of.path);
        return bytes;
      };
      const made = await history.change(wantedOf(of, context, { access: "write", content: known }));
      if (made.stat !== undefined) seen.note(context.contextId, made, made.stat);
      return madeText(made);
    },
    reconcile: (_input, context) => reconciled(history, context),
  });
}

function notRead(path: string): FileHistoryError {
  const why = `${JSON.stringify(path)} is there already, and this conversation has not read it as it is now: read it first`;
  return new FileHistoryError("file-history.not-read", why);
}
