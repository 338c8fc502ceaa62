import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ListTree } from "lucide-react";
import type { Screen } from "../../shell/index.ts";
import { readFilter } from "./task-filter.ts";

const page = () => import("./task-page.tsx");

/** The runs of the agent (tasks of A2A), with their timelines. */
export const tasks: Screen = {
  id: "tasks",
  order: 30,
  label: "Runs",
  icon: ListTree,
  group: "work",
  key: "t",
  finds: { label: "Runs", load: async () => (await import("./find-runs.ts")).findRuns },
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/tasks",
      validateSearch: readFilter,
      component: lazyRouteComponent(() => import("./tasks-page.tsx"), "TasksPage"),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/tasks/$task",
      component: lazyRouteComponent(page, "TaskPage"),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/tasks/$task/frames",
      component: lazyRouteComponent(page, "TaskFramesPage"),
    }),
  ],
};
