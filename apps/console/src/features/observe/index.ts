import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ChartLine } from "lucide-react";
import type { Screen } from "../../shell/index.ts";
import { OBSERVE_PARTS } from "./observe-parts.ts";

/** Cost and duration of turns, the prompts of model calls, the log, the queue of model calls. */
export const observe: Screen = {
  id: "observe",
  order: 50,
  label: "Observe",
  icon: ChartLine,
  feature: OBSERVE_PARTS.map((part) => part.feature),
  group: "work",
  key: "o",
  pages: OBSERVE_PARTS,
  routes: (parent) => {
    const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
      createRoute({ getParentRoute: () => parent, path, component });
    const prompts = at(
      "/observe/prompts",
      lazyRouteComponent(() => import("./prompts-page.tsx"), "PromptsPage"),
    );
    return [
      at(
        "/observe",
        lazyRouteComponent(() => import("./observe-page.tsx"), "ObserveHome"),
      ),
      at(
        "/observe/telemetry",
        lazyRouteComponent(() => import("./telemetry/telemetry-page.tsx"), "TelemetryPage"),
      ),
      prompts.addChildren([
        createRoute({
          getParentRoute: () => prompts,
          path: "/$task",
          component: lazyRouteComponent(() => import("./prompt-calls.tsx"), "PromptCalls"),
        }),
      ]),
      at(
        "/observe/logs",
        lazyRouteComponent(() => import("./logs-page.tsx"), "LogsPage"),
      ),
      at(
        "/observe/lanes",
        lazyRouteComponent(() => import("./lanes-page.tsx"), "LanesPage"),
      ),
    ];
  },
};
