import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { Button } from "../../../ui/index.ts";
import type { MovedTo } from "./moved-to.ts";
import type { Version } from "./use-versions.ts";

/** Moves between the turns that a conversation has in one place: ‹ 1/2 ›. */
export function VersionSwitch({
  versions,
  task,
  moved,
  onShow,
}: {
  readonly versions: readonly Version[];
  /** The one that is shown. */
  readonly task: string;
  readonly moved: MovedTo;
  readonly onShow: (session: string) => void;
}): ReactElement {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // The page of the other version is a new one: the focus is where it was.
    if (moved.arriveAt(task)) group.current?.querySelector<HTMLElement>("button:enabled")?.focus();
  }, [task, moved]);
  const at = versions.findIndex(({ task_id }) => task_id === task);
  const arrow = (step: 1 | -1, label: string, Icon: typeof ChevronLeft): ReactElement => {
    const to = versions[at + step];
    return (
      <Button
        kind="quiet"
        icon
        small
        aria-label={label}
        title={label}
        disabled={to === undefined}
        onClick={() => {
          if (to === undefined) return;
          moved.moveTo(to.task_id);
          onShow(to.session_id);
        }}
      >
        <Icon aria-hidden className="size-4" />
      </Button>
    );
  };
  return (
    <fieldset ref={group} aria-label="Versions" className="flex items-center text-sm text-ink-soft">
      {arrow(-1, "Version before", ChevronLeft)}
      <span className="tabular-nums">
        <span className="sr-only">Version </span>
        {at + 1}
        <span aria-hidden>/</span>
        <span className="sr-only"> of </span>
        {versions.length}
      </span>
      {arrow(1, "Version after", ChevronRight)}
    </fieldset>
  );
}
