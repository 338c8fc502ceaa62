import { type ReactElement, type ReactNode, useMemo, useState } from "react";
import { Button, ErrorState, SkeletonRows } from "../ui/index.ts";
import { isAtWork } from "./load-timeline.ts";
import { CutNote, Timeline } from "./timeline.tsx";
import { timelineOf } from "./timeline-data.ts";
import { FIRST_LINES, useNow, useTaskTimeline } from "./use-task-timeline.ts";

/** The timeline of a task, live while it runs, for the task's page and beside an answer. */
export function TaskTimeline({
  taskId,
  linkTo,
}: {
  readonly taskId: string;
  readonly linkTo?: (task: string, label: ReactNode) => ReactNode;
}): ReactElement {
  const [lines, setLines] = useState(FIRST_LINES);
  const { data: source, error, isPending, isFetching, refetch } = useTaskTimeline(taskId, lines);
  const now = useNow(source !== undefined && isAtWork(source));
  const timeline = useMemo(() => (source === undefined ? undefined : timelineOf(source, now)), [source, now]);
  if (isPending) return <SkeletonRows rows={8} />;
  if (timeline === undefined) {
    return <ErrorState title="The timeline cannot be read" error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div>
      <Timeline timeline={timeline} {...(linkTo && { linkTo })} />
      <CutNote scale={timeline.scale} />
      {timeline.more && (
        <div className="px-2 pt-3">
          <Button busy={isFetching} onClick={() => setLines(lines * 2)}>
            Show what came after
          </Button>
        </div>
      )}
    </div>
  );
}
