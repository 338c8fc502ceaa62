import { useQuery } from "@tanstack/react-query";
import { GitBranch, RefreshCw } from "lucide-react";
import { type ReactElement, type ReactNode, useMemo, useState } from "react";
import { useApi } from "../api/index.ts";
import { Button, classNames, count, EmptyState, SkeletonRows } from "../ui/index.ts";
import { DiffFiles } from "./diff-files.tsx";
import { patchesByPath, patchLines } from "./patch-lines.ts";
import { PatchRows } from "./patch-rows.tsx";
import type { DiffFile, ProjectDiff } from "./project-diff.ts";
import { ShownRefusal } from "./shown-refusal.tsx";

/** What a project's files differ in from its last commit: the files, and of the chosen one the lines. */
export function DiffView({
  project,
  first,
  onOpen,
  tools,
}: {
  readonly project: string;
  /** The path that is chosen first, where it differs. */
  readonly first?: string | undefined;
  /** Opens a file itself. */
  readonly onOpen: (path: string) => void;
  readonly tools?: ReactNode;
}): ReactElement {
  const { operator } = useApi();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["files", "project-diff", project],
    queryFn: ({ signal }) => operator.get("/api/fs/diff", { query: { project }, signal }),
    // Other programs change files and commit, which no event says.
    staleTime: 5_000,
  });
  const readAgain = (): void => void refetch();
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 text-sm text-ink-soft">
        {data !== undefined && <Facts diff={data} />}
        <div className="ml-auto flex items-center gap-1">
          {tools}
          <Button kind="quiet" icon small aria-label="Read again" title="Read again" onClick={readAgain}>
            <RefreshCw aria-hidden className={classNames("size-4", isFetching && "animate-spin")} />
          </Button>
        </div>
      </div>
      {error !== null ? (
        <ShownRefusal error={error} title="The changes cannot be read" onRetry={readAgain} />
      ) : data === undefined ? (
        <SkeletonRows rows={4} />
      ) : (
        <Shown diff={data} first={first} onOpen={onOpen} />
      )}
    </div>
  );
}

function Facts({ diff: { is_git: isGit, branch, head, files } }: { readonly diff: ProjectDiff }): ReactElement | null {
  if (!isGit) return null;
  const sum = (of: "additions" | "deletions"): number => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5">
      <span className="inline-flex min-w-0 items-center gap-1">
        <GitBranch aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 truncate">
          {branch ?? "no branch"}
          {head === null ? ", no commit yet" : ` at ${head.slice(0, 7)}`}
        </span>
      </span>
      <span className="tabular-nums">
        {count(files.length)} {files.length === 1 ? "file" : "files"}{" "}
        <span className="text-good">+{count(sum("additions"))}</span>{" "}
        <span className="text-bad">−{count(sum("deletions"))}</span>
      </span>
    </span>
  );
}

function Shown({
  diff,
  first,
  onOpen,
}: {
  readonly diff: ProjectDiff;
  readonly first: string | undefined;
  readonly onOpen: (path: string) => void;
}): ReactElement {
  const { patch, truncated } = diff;
  const files = useMemo(() => diff.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), [diff.files]);
  const [chosen, choose] = useState(first);
  const parts = useMemo(() => patchesByPath(patch), [patch]);
  const file =
    files.find(({ path }) => path === chosen) ?? files.find(({ additions }) => additions !== null) ?? files[0];
  if (!diff.is_git) {
    return (
      <EmptyState drawing="folders" title="There is nothing to compare with">
        {diff.reason === undefined
          ? "This project lies in no git repository."
          : `Its git repository cannot be read: ${diff.reason}.`}
      </EmptyState>
    );
  }
  if (file === undefined) {
    return <EmptyState title="Nothing differs">Every file is as it was committed last.</EmptyState>;
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col @min-[44rem]:flex-row">
      <div className="flex max-h-[38%] shrink-0 flex-col border-line @max-[44rem]:border-b @min-[44rem]:max-h-none @min-[44rem]:w-72 @min-[44rem]:border-r">
        <DiffFiles files={files} chosen={file.path} onChoose={choose} />
        {truncated && (
          <p className="shrink-0 border-t border-line px-4 py-1.5 text-sm text-ink-soft">
            More differs than is shown here: at most 5,000 files and 1 MB of lines.
          </p>
        )}
      </div>
      <FileDiff key={file.path} file={file} part={parts.get(file.path)} isCut={truncated} onOpen={onOpen} />
    </div>
  );
}

function FileDiff({
  file,
  part,
  isCut,
  onOpen,
}: {
  readonly file: DiffFile;
  readonly part: string | undefined;
  readonly isCut: boolean;
  readonly onOpen: (path: string) => void;
}): ReactElement {
  const lines = useMemo(() => (part === undefined ? [] : patchLines(part)), [part]);
  const { path, old_path: oldPath } = file;
  const canOpen = file.status !== "D" && !file.denied && !file.binary;
  return (
    <section aria-label={path} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-10 shrink-0 items-center gap-2 border-b border-line px-4 py-1">
        <h2 className="min-w-0 flex-1 font-mono text-sm break-all">
          {oldPath !== undefined && <span className="text-ink-soft">{oldPath} → </span>}
          {path}
        </h2>
        {canOpen && (
          <Button small onClick={() => onOpen(path)}>
            Open the file
          </Button>
        )}
      </div>
      {lines.length === 0 ? (
        <p className="p-4 text-ink-soft">{whyNoLines(file, part, isCut)}</p>
      ) : (
        <PatchRows lines={lines} label={`Difference of ${path}`} />
      )}
    </section>
  );
}

function whyNoLines(file: DiffFile, part: string | undefined, isCut: boolean): string {
  if (file.denied) return "Its name is one of those that hold secrets: nothing of it is shown.";
  if (file.too_large === true) return "It is too large to be compared.";
  if (file.reason !== undefined) return `It is not compared: ${file.reason}.`;
  if (file.binary) return "It is no text, so there are no lines to compare.";
  if (part === undefined && isCut) return "Its lines are beyond the 1 MB that is shown.";
  if (file.status === "R") return "It was renamed; its text is the same.";
  return file.status === "M" ? "Its text is the same; its mode changed." : "The file is empty.";
}
