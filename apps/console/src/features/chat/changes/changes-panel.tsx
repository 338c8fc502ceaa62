import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { Button, CheckField, count, InlineError, ScrollRegion } from "../../../ui/index.ts";
import type { ChangedFile } from "./changed-files.ts";
import { FileDifference } from "./file-difference.tsx";
import { outcomeText, reasonText, type UndoneFile } from "./outcome-text.ts";

/** What is to be done with the chosen files. */
interface Wanted {
  readonly kind: "undo" | "redo";
  readonly ids: readonly string[];
}

/** The files of a turn: their differences, which of them are chosen, and taking those back, or forth again. */
export function ChangesPanel({
  files,
  hasMore,
}: {
  readonly files: readonly ChangedFile[];
  readonly hasMore: boolean;
}): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const post = (wanted: Wanted, preview: boolean) =>
    operator.post("/api/changes/undo", {
      body: { ids: [...wanted.ids], preview },
      idempotencyKey: crypto.randomUUID(),
    });
  const ask = useMutation({ mutationFn: (wanted: Wanted) => post(wanted, true) });
  const act = useMutation({
    mutationFn: (wanted: Wanted) => post(wanted, false),
    onSuccess: () => ask.reset(),
    onSettled: () => queries.invalidateQueries({ queryKey: ["files"] }),
  });
  const chosen = files.filter(({ key }) => !left.has(key));
  const undo: Wanted = { kind: "undo", ids: chosen.flatMap(({ ids }) => ids) };
  const redo: Wanted = { kind: "redo", ids: chosen.flatMap((file) => (file.undo === undefined ? [] : [file.undo])) };
  const toggle = (key: string): void => {
    setLeft((before) =>
      before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set(before).add(key),
    );
    ask.reset();
    act.reset();
  };
  const choose = (isAll: boolean): void => {
    setLeft(isAll ? new Set() : new Set(files.map(({ key }) => key)));
    ask.reset();
    act.reset();
  };
  const begin = (wanted: Wanted): void => {
    act.reset();
    ask.mutate(wanted);
  };
  const { variables: wanted, data: preview } = ask;
  return (
    <div className="flex flex-col gap-4">
      {files.length > 1 && <AllFiles of={files.length} chosen={chosen.length} onChoose={choose} />}
      <ul className="flex flex-col gap-1.5">
        {files.map((file) => (
          <FileItem key={file.key} file={file} checked={!left.has(file.key)} onToggle={() => toggle(file.key)} />
        ))}
      </ul>
      {hasMore && <p className="text-sm text-ink-soft">This turn made more changes than are shown.</p>}
      <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-col gap-3 border-t border-line bg-raised px-4 py-3">
        {wanted !== undefined && preview !== undefined ? (
          <Confirmation
            isUndo={wanted.kind === "undo"}
            files={preview.files}
            isBusy={act.isPending}
            onDo={() => act.mutate(wanted)}
            onLeave={() => ask.reset()}
          />
        ) : (
          <div className="flex flex-wrap gap-2">
            {undo.ids.length > 0 && (
              <Button busy={ask.isPending} onClick={() => begin(undo)}>
                Undo the changes of {fileCount(chosen.filter(({ ids }) => ids.length > 0).length)}
              </Button>
            )}
            {redo.ids.length > 0 && (
              <Button busy={ask.isPending} onClick={() => begin(redo)}>
                Bring back the changes of {fileCount(redo.ids.length)}
              </Button>
            )}
          </div>
        )}
        {act.data !== undefined && <Outcomes title="Now they are:" files={act.data.files} />}
        {(ask.error ?? act.error) !== null && <InlineError error={ask.error ?? act.error} />}
      </div>
    </div>
  );
}

/** Chooses all files, or none: of many a person often wants two. */
function AllFiles({
  of,
  chosen,
  onChoose,
}: {
  readonly of: number;
  readonly chosen: number;
  readonly onChoose: (isAll: boolean) => void;
}): ReactElement {
  return (
    <CheckField
      ref={(box) => {
        if (box !== null) box.indeterminate = chosen > 0 && chosen < of;
      }}
      checked={chosen === of}
      onChange={() => onChoose(chosen < of)}
      className="gap-2 border-b border-line pb-2"
      label={`${count(chosen)} of ${count(of)} files are chosen`}
    />
  );
}

/** What would become of the files, and whether to do it. */
function Confirmation({
  isUndo,
  files,
  isBusy,
  onDo,
  onLeave,
}: {
  readonly isUndo: boolean;
  readonly files: readonly UndoneFile[];
  readonly isBusy: boolean;
  readonly onDo: () => void;
  readonly onLeave: () => void;
}): ReactElement {
  const changesAny = files.some(({ result }) => result === "restored" || result === "removed");
  return (
    <div className="flex flex-col gap-3">
      <Outcomes title={isUndo ? "Undone, they would be:" : "Brought back, they would be:"} files={files} />
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={isBusy} disabled={!changesAny} onClick={onDo}>
          {isUndo ? "Undo them" : "Bring them back"}
        </Button>
        <Button onClick={onLeave}>Leave them</Button>
      </div>
    </div>
  );
}

function fileCount(files: number): string {
  return `${count(files)} ${files === 1 ? "file" : "files"}`;
}

interface FileItemProps {
  readonly file: ChangedFile;
  readonly checked: boolean;
  readonly onToggle: () => void;
}

function FileItem(props: FileItemProps): ReactElement {
  const { ids, path } = props.file;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <FileLine {...props} />
      {ids.length > 0 && <FileDifference ids={ids} path={path} />}
    </li>
  );
}

function FileLine({ file, checked, onToggle }: FileItemProps): ReactElement {
  const { project, path, additions, deletions, ids, current, reason, uncertain } = file;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3">
      <CheckField
        checked={checked}
        onChange={onToggle}
        className="min-w-0 gap-2"
        label={
          <span className="min-w-0 font-mono text-sm break-all" title={project}>
            {path}
          </span>
        }
      />
      {ids.length === 0 ? (
        <span className="text-sm text-ink-soft">undone</span>
      ) : (
        <span className="text-sm tabular-nums">
          +{count(additions)} −{count(deletions)}
        </span>
      )}
      {ids.length > 0 && current !== "unchanged" && (
        <span className="text-sm text-ink-soft">{current === "missing" ? "not there any more" : "changed since"}</span>
      )}
      {uncertain && <span className="text-sm text-ink-soft">perhaps by something else that ran then</span>}
      {reason !== null && <span className="text-sm text-ink-soft">cannot be undone: {reasonText(reason)}</span>}
    </div>
  );
}

function Outcomes({ title, files }: { readonly title: string; readonly files: readonly UndoneFile[] }): ReactElement {
  return (
    <div role="status" className="flex flex-col gap-1">
      <p>{title}</p>
      <ScrollRegion label={title} className="max-h-40 overflow-auto">
        <ul className="flex flex-col gap-0.5 text-sm">
          {files.map((file) => (
            <li key={`${file.project}/${file.path}`}>
              <span className="font-mono break-all">{file.path}</span>: {outcomeText(file)}
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </div>
  );
}
