import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import type { Screen } from "../../shell/index.ts";
import { APPEARANCE, OWN_PAGES } from "./settings-links.ts";

const all = lazyRouteComponent(() => import("./settings-page.tsx"), "SettingsPage");

/** The pages by their path below `/settings`. */
const PAGES = {
  "/": lazyRouteComponent(() => import("./overview-page.tsx"), "OverviewPage"),
  "/all": all,
  "/all/$category": all,
  "/persona": lazyRouteComponent(() => import("./persona/persona-page.tsx"), "PersonaPage"),
  "/connections": lazyRouteComponent(() => import("./connections-page.tsx"), "ConnectionsPage"),
  "/tools": lazyRouteComponent(() => import("./tools-page.tsx"), "ToolsPage"),
  "/subagents": lazyRouteComponent(() => import("./subagents-page.tsx"), "SubagentsPage"),
  "/connect": lazyRouteComponent(() => import("./connect-page.tsx"), "ConnectPage"),
  "/access": lazyRouteComponent(() => import("./access/access-page.tsx"), "AccessPage"),
  "/shares": lazyRouteComponent(() => import("./access/shares-page.tsx"), "SharesPage"),
  "/secrets": lazyRouteComponent(() => import("./secrets-page.tsx"), "SecretsPage"),
  "/appearance": lazyRouteComponent(() => import("./appearance-page.tsx"), "AppearancePage"),
};

/** The settings of the service, its connections, tools and persona. */
export const settings: Screen = {
  id: "settings",
  order: 60,
  label: "Settings",
  icon: Settings,
  feature: "settings",
  group: "service",
  key: "s",
  finds: { label: "Settings", load: async () => (await import("./find-settings.ts")).findSettings },
  pages: [...OWN_PAGES, APPEARANCE],
  routes: (parent) => {
    const layout = createRoute({
      getParentRoute: () => parent,
      path: "/settings",
      component: lazyRouteComponent(() => import("./settings-layout.tsx"), "SettingsLayout"),
    });
    const pages = Object.entries(PAGES).map(([path, component]) =>
      createRoute({ getParentRoute: () => layout, path, component }),
    );
    return [layout.addChildren(pages)];
  },
};
