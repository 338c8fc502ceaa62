import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { FileCode2 } from "lucide-react";
import type { Screen } from "../../shell/index.ts";

/** The files of projects, for reading, and what differs in them from the last commit. */
export const files: Screen = {
  id: "files",
  order: 46,
  label: "Files",
  icon: FileCode2,
  feature: "code_pane",
  whenEnabled: true,
  group: "work",
  key: "f",
  pages: [{ path: "/files/changes", label: "Changes of projects", keywords: "git diff uncommitted" }],
  routes: (parent) => {
    const page = () => import("./files-page.tsx");
    return [
      createRoute({ getParentRoute: () => parent, path: "/files", component: lazyRouteComponent(page, "FilesPage") }),
      createRoute({
        getParentRoute: () => parent,
        path: "/files/changes",
        component: lazyRouteComponent(page, "ChangesPage"),
      }),
    ];
  },
};
