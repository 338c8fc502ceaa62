import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { BriefcaseBusiness } from "lucide-react";
import type { Screen } from "../../shell/index.ts";
import { WORK_PARTS } from "./work-parts.ts";

/** Background jobs, the board, goals, schedules, watches, the inbox, and the activity feed. */
export const work: Screen = {
  id: "work",
  order: 40,
  label: "Work",
  icon: BriefcaseBusiness,
  feature: WORK_PARTS.map((part) => part.feature),
  group: "work",
  key: "w",
  pages: WORK_PARTS,
  routes: (parent) => {
    const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
      createRoute({ getParentRoute: () => parent, path, component });
    const jobs = at(
      "/work/jobs",
      lazyRouteComponent(() => import("./jobs-page.tsx"), "JobsPage"),
    );
    const board = at(
      "/work/board",
      lazyRouteComponent(() => import("./board-page.tsx"), "BoardPage"),
    );
    const goals = at(
      "/work/goals",
      lazyRouteComponent(() => import("./goals/goals-page.tsx"), "GoalsPage"),
    );
    const schedules = at(
      "/work/schedules",
      lazyRouteComponent(() => import("./schedules/schedules-page.tsx"), "SchedulesPage"),
    );
    const watches = at(
      "/work/watches",
      lazyRouteComponent(() => import("./watches/watches-page.tsx"), "WatchesPage"),
    );
    return [
      at(
        "/work",
        lazyRouteComponent(() => import("./work-page.tsx"), "WorkHome"),
      ),
      jobs.addChildren([
        createRoute({
          getParentRoute: () => jobs,
          path: "/$job",
          component: lazyRouteComponent(() => import("./job-details.tsx"), "JobDetails"),
        }),
      ]),
      board.addChildren([
        createRoute({
          getParentRoute: () => board,
          path: "/$issue",
          component: lazyRouteComponent(() => import("./issue-sheet.tsx"), "IssueSheet"),
        }),
      ]),
      goals.addChildren([
        createRoute({
          getParentRoute: () => goals,
          path: "/$goal",
          component: lazyRouteComponent(() => import("./goals/goal-details.tsx"), "GoalDetails"),
        }),
      ]),
      schedules.addChildren([
        createRoute({
          getParentRoute: () => schedules,
          path: "/$schedule",
          component: lazyRouteComponent(() => import("./schedules/schedule-details.tsx"), "ScheduleDetails"),
        }),
      ]),
      watches.addChildren([
        createRoute({
          getParentRoute: () => watches,
          path: "/$watch",
          component: lazyRouteComponent(() => import("./watches/watch-details.tsx"), "WatchDetails"),
        }),
      ]),
      at(
        "/work/inbox",
        lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage"),
      ),
      at(
        "/work/activity",
        lazyRouteComponent(() => import("./activity-page.tsx"), "ActivityPage"),
      ),
    ];
  },
};
