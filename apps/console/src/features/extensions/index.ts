import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Blocks } from "lucide-react";
import type { Screen } from "../../shell/index.ts";
import { EXTENSION_PARTS } from "./extension-parts.ts";

/** What others bring to the agent: servers of tools over the Model Context Protocol. */
export const extensions: Screen = {
  id: "extensions",
  order: 55,
  label: "Extensions",
  icon: Blocks,
  feature: EXTENSION_PARTS.map((part) => part.feature),
  group: "service",
  key: "e",
  pages: EXTENSION_PARTS.map((part) => ({ ...part, keywords: "mcp model context protocol tools extensions" })),
  finds: { label: "MCP servers", load: async () => (await import("./find-servers.ts")).findServers },
  routes: (parent) => {
    const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
      createRoute({ getParentRoute: () => parent, path, component });
    return [
      at(
        "/extensions",
        lazyRouteComponent(() => import("./extensions-home.tsx"), "ExtensionsHome"),
      ),
      at(
        "/extensions/mcp",
        lazyRouteComponent(() => import("./servers-page.tsx"), "ServersPage"),
      ),
      at(
        "/extensions/mcp/$server",
        lazyRouteComponent(() => import("./server/server-page.tsx"), "ServerPage"),
      ),
    ];
  },
};
