import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { Fence } from "../fence/index.ts";
import { clamped, fileArguments, type IsCloned, OF_FILES, pathArgument, projectArgument } from "./path-arguments.ts";
import { type Lines, readLines } from "./read-lines.ts";
import type { SeenFiles } from "./seen-files.ts";

const MAX_LINES = 2_000;
const MAX_CHARS = 50_000;
const MAX_LINE_CHARS = 2_000;
const CUT = " … [line cut]";

/** `read_file(path, project?, offset=1, limit=2000, line_numbers=true)` (F6, F7). */
export function readFile(fence: Fence, seen: SeenFiles, isCloned: IsCloned): AnyTool {
  return defineTool({
    name: "read_file",
    description: "Read a text file of a project. A last line says how to read on.",
    input: fileArguments({
      path: pathArgument,
      project: projectArgument,
      offset: v.optional(v.pipe(clamped(1, Number.MAX_SAFE_INTEGER), v.description("The first line.")), 1),
      limit: v.optional(clamped(1, MAX_LINES), MAX_LINES),
      line_numbers: v.optional(v.boolean(), true),
    }),
    effect: "pure",
    ...OF_FILES,
    present: { asks: "Read {path}?", doing: "Reading {path}", done: "Read {path}" },
    async run({ path, project, offset, limit, line_numbers }, { contextId, signal, fromOutside }) {
      const located = await fence.open({ path, project, for: "read" });
      try {
        if (isCloned(located.absolute)) fromOutside();
        const file = await located.openFile();
        try {
          const stat = await file.stat({ bigint: true });
          const range = { offset, limit, maxChars: MAX_CHARS, maxLineChars: MAX_LINE_CHARS };
          const lines = await readLines(file, range, signal);
          if (lines.kind === "text") seen.note(contextId, located, stat);
          return lines.kind === "binary" ? binaryNote(path, stat.size) : shown(lines, offset, line_numbers);
        } finally {
          await file.close();
        }
      } finally {
        await located.close();
      }
    },
  });
}

function binaryNote(path: string, size: bigint): string {
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(path)?.[0];
  return `This is no text: ${ending === undefined ? "a binary file" : `a binary ${ending} file`} of ${size} bytes.`;
}

function shown(read: Extract<Lines, { kind: "text" }>, offset: number, numbered: boolean): string {
  const { lines, next, total } = read;
  if (total === 0) return "The file is empty.";
  if (lines.length === 0) return `The file has only ${total} ${total === 1 ? "line" : "lines"}.`;
  const body = lines
    .map(({ text, isCut }, index) => {
      if (!numbered) return isCut ? `${text}${CUT}\n` : text;
      return `${offset + index}\t${text.replace(/\r?\n$/, "")}${isCut ? CUT : ""}\n`;
    })
    .join("");
  if (next === undefined) return numbered ? body.replace(/\n$/, "") : body;
  return `${body}${body.endsWith("\n") ? "" : "\n"}[there is more: offset=${next}]`;
}
