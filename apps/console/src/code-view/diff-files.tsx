import type { ReactElement } from "react";
import { classNames, count, ScrollRegion } from "../ui/index.ts";
import type { DiffFile } from "./project-diff.ts";

const STATES: { readonly [TStatus in DiffFile["status"]]: readonly [sign: string, word: string, look: string] } = {
  M: ["M", "changed", "text-ink-soft"],
  A: ["A", "added", "text-good"],
  D: ["D", "deleted", "text-bad"],
  R: ["R", "renamed", "text-accent"],
  "?": ["N", "new, not tracked", "text-good"],
};

/** Files are drawn as far as this; beyond it a person looks at the folder itself. */
const MOST_DRAWN = 1_000;

/** The files that differ, each with how. */
export function DiffFiles({
  files,
  chosen,
  onChoose,
}: {
  readonly files: readonly DiffFile[];
  readonly chosen: string;
  readonly onChoose: (path: string) => void;
}): ReactElement {
  return (
    <ScrollRegion label="Files that differ" className="min-h-0 flex-1 overflow-y-auto p-1.5">
      <ul>
        {files.slice(0, MOST_DRAWN).map((file) => (
          <li key={file.path}>
            <FileButton file={file} isChosen={file.path === chosen} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {files.length > MOST_DRAWN && (
        <p className="px-2.5 py-1 text-sm text-ink-soft">{count(files.length - MOST_DRAWN)} more are not listed.</p>
      )}
    </ScrollRegion>
  );
}

function FileButton({
  file,
  isChosen,
  onChoose,
}: {
  readonly file: DiffFile;
  readonly isChosen: boolean;
  readonly onChoose: (path: string) => void;
}): ReactElement {
  const { path, status, additions, deletions, denied, binary, too_large: tooLarge } = file;
  const [sign, word, look] = STATES[status];
  const [folder, name] = [path.slice(0, path.lastIndexOf("/") + 1), path.slice(path.lastIndexOf("/") + 1)];
  const note = denied ? "not shown" : binary ? "binary" : tooLarge === true ? "too large" : undefined;
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      title={path}
      onClick={() => onChoose(path)}
      className={classNames(
        "flex min-h-8 w-full items-center gap-2 rounded-md px-2.5 py-1 text-left text-sm",
        isChosen ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      <span aria-hidden className={classNames("w-3 shrink-0 text-center font-mono font-semibold", look)}>
        {sign}
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className={classNames("truncate", status === "D" && "line-through")}>{name}</span>
        {folder !== "" && <span className="truncate text-xs text-ink-soft">{folder}</span>}
      </span>
      <span className="sr-only">{word}</span>
      {note !== undefined && <span className="shrink-0 text-xs text-ink-soft">{note}</span>}
      {additions !== null && deletions !== null && (
        <span className="shrink-0 text-xs tabular-nums">
          {additions > 0 && <span className="text-good">+{count(additions)}</span>}{" "}
          {deletions > 0 && <span className="text-bad">−{count(deletions)}</span>}
        </span>
      )}
    </button>
  );
}
