import { useQuery } from "@tanstack/react-query";
import { FileDiff } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { Button, count, Dialog } from "../../../ui/index.ts";
import { changedFiles } from "./changed-files.ts";
import { ChangesPanel } from "./changes-panel.tsx";

/** What a turn changed in files, in a line that opens the rest: each difference, and the way back. */
export function ChangesLine({ taskId }: { readonly taskId: string }): ReactElement | null {
  const { operator } = useApi();
  // Undefined until first opened.
  const [open, setOpen] = useState<boolean>();
  const { data, refetch } = useQuery({
    queryKey: ["files", "changes", taskId],
    queryFn: () => operator.get("/api/changes", { query: { task_id: taskId, limit: 200 } }),
  });
  const files = useMemo(() => changedFiles(data?.changes ?? []), [data]);
  if (files.length === 0) return null;
  const sum = (lines: "additions" | "deletions"): number => files.reduce((total, file) => total + file[lines], 0);
  const undone = files.filter(({ ids }) => ids.length === 0).length;
  return (
    <div className="flex">
      <Button
        small
        onClick={() => {
          setOpen(true);
          // Whether files are as the turn left them: they may be changed by others, of which no event comes.
          void refetch();
        }}
      >
        <FileDiff aria-hidden className="size-4" />
        {count(files.length)} {files.length === 1 ? "file" : "files"}
        <span className="tabular-nums">
          +{count(sum("additions"))} −{count(sum("deletions"))}
        </span>
        {undone > 0 && <span className="text-ink-soft">{undone === files.length ? "undone" : `${undone} undone`}</span>}
      </Button>
      {open !== undefined && (
        <Dialog open={open} onOpenChange={setOpen} title="What this turn changed in files" sheet>
          <ChangesPanel files={files} hasMore={data?.next_cursor !== null} />
        </Dialog>
      )}
    </div>
  );
}
