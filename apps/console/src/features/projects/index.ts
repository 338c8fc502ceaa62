import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { FolderGit2 } from "lucide-react";
import type { Screen } from "../../shell/index.ts";

/** The folders that the agent may work in. */
export const projects: Screen = {
  id: "projects",
  order: 45,
  label: "Projects",
  icon: FolderGit2,
  feature: "projects",
  group: "work",
  key: "p",
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/projects",
      component: lazyRouteComponent(() => import("./projects-page.tsx"), "ProjectsPage"),
    }),
  ],
};
