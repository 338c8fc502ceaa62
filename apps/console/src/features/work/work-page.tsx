import type { ReactElement } from "react";
import { FirstPart, type Part, PartPage, type PartPageProps } from "../../parts/index.ts";

const PARTS: readonly Part[] = [
  { path: "/work/jobs", label: "Jobs", feature: "background" },
  { path: "/work/board", label: "Board", feature: "tasks" },
  { path: "/work/inbox", label: "Inbox", feature: "inbox" },
  { path: "/work/activity", label: "Activity", feature: "activity" },
];

/** A part of the work screen below the line with all parts. */
export function WorkPage(page: Omit<PartPageProps, "title" | "parts">): ReactElement {
  return <PartPage title="Work" parts={PARTS} {...page} />;
}

/** Where the screen begins. */
export function WorkHome(): ReactElement {
  return <FirstPart parts={PARTS} />;
}
