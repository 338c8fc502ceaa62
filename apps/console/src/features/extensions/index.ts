import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Blocks } from "lucide-react";
import type { Screen } from "../../shell/index.ts";
import { EXTENSION_PARTS } from "./extension-parts.ts";

const KEYWORDS: { readonly [feature: string]: string } = {
  mcp: "mcp model context protocol tools extensions",
  skills: "skills playbooks instructions slash commands extensions",
};

/** What is added to the agent: servers of tools over the Model Context Protocol, and skills. */
export const extensions: Screen = {
  id: "extensions",
  order: 55,
  label: "Extensions",
  icon: Blocks,
  feature: EXTENSION_PARTS.map((part) => part.feature),
  group: "service",
  key: "e",
  pages: EXTENSION_PARTS.map((part) => ({ ...part, keywords: KEYWORDS[part.feature] ?? "" })),
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
      at(
        "/extensions/skills",
        lazyRouteComponent(() => import("./skill/skills-page.tsx"), "SkillsPage"),
      ),
      at(
        "/extensions/skills/$skill",
        lazyRouteComponent(() => import("./skill/skill-page.tsx"), "SkillPage"),
      ),
      at(
        "/oauth/mcp",
        lazyRouteComponent(() => import("./sign-in-page.tsx"), "SignInPage"),
      ),
    ];
  },
};
