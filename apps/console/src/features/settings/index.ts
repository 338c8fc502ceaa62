import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import type { Screen } from "../../shell/index.ts";

const page = (parent: AnyRoute, path: string, component: ReturnType<typeof lazyRouteComponent>): AnyRoute =>
  createRoute({ getParentRoute: () => parent, path, component });

/** Everything that can be set, and what the agent is connected to. */
export const settings: Screen = {
  id: "settings",
  label: "Settings",
  icon: Settings,
  feature: "settings",
  group: "service",
  key: "s",
  routes: (parent) => {
    const layout = createRoute({
      getParentRoute: () => parent,
      path: "/settings",
      component: lazyRouteComponent(() => import("./settings-layout.tsx"), "SettingsLayout"),
    });
    const all = lazyRouteComponent(() => import("./settings-page.tsx"), "SettingsPage");
    return [
      layout.addChildren([
        page(layout, "/", all),
        page(layout, "/all", all),
        page(layout, "/all/$category", all),
        page(
          layout,
          "/appearance",
          lazyRouteComponent(() => import("./appearance-page.tsx"), "AppearancePage"),
        ),
      ]),
    ];
  },
};
