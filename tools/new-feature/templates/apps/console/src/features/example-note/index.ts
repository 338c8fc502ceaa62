import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { NotebookPen } from "lucide-react";
import type { Screen } from "../../shell/index.ts";

/** The entries that the agent and operators add. */
export const exampleNote: Screen = {
  id: "example-note",
  order: 45,
  label: "Example note",
  icon: NotebookPen,
  feature: "exampleNote",
  group: "work",
  // The second key after `g`, unique among the screens.
  key: "SCREEN_KEY",
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/example-note",
      component: lazyRouteComponent(() => import("./example-note-page.tsx"), "ExampleNotePage"),
    }),
  ],
};
