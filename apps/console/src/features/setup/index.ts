import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { WandSparkles } from "lucide-react";
import type { Screen } from "../../shell/index.ts";
import { skippedSetup, wantsSetup } from "./wants-setup.ts";

/** The first run. It is not in the rail; it is the first screen until the agent is configured. */
export const setup: Screen = {
  id: "setup",
  order: 70,
  label: "Setup",
  icon: WandSparkles,
  feature: "setup",
  group: "elsewhere",
  key: "u",
  first: ({ operator }) => wantsSetup(operator, skippedSetup(window)),
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/setup",
      component: lazyRouteComponent(() => import("./setup-page.tsx"), "SetupPage"),
    }),
  ],
};
