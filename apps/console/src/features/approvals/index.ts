import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { CirclePause } from "lucide-react";
import { PROMPTS_WAITING, type Screen } from "../../shell/index.ts";

export const approvals: Screen = {
  id: "approvals",
  order: 20,
  label: "Approvals",
  icon: CirclePause,
  group: "work",
  waiting: PROMPTS_WAITING,
  key: "a",
  pages: [{ path: "/approvals/remembered", label: "Always allowed", keywords: "grants" }],
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/approvals",
      component: lazyRouteComponent(() => import("./approvals-page.tsx"), "ApprovalsPage"),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/approvals/remembered",
      component: lazyRouteComponent(() => import("./remembered-page.tsx"), "RememberedPage"),
    }),
  ],
};
