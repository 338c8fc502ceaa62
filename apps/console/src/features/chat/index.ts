import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { MessageSquare } from "lucide-react";
import type { Screen } from "../../shell/index.ts";

/** The conversations with the agent. */
export const chat: Screen = {
  id: "chat",
  order: 10,
  label: "Chat",
  icon: MessageSquare,
  feature: "sessions",
  group: "work",
  key: "c",
  pages: [{ path: "/chat/new", label: "New chat", keywords: "conversation session begin start", keys: "n c" }],
  routes: (parent) => {
    const layout = createRoute({
      getParentRoute: () => parent,
      path: "/chat",
      component: lazyRouteComponent(() => import("./chat-page.tsx"), "ChatPage"),
    });
    const begin = createRoute({
      getParentRoute: () => layout,
      path: "/",
      component: lazyRouteComponent(() => import("./chat-page.tsx"), "BesideList"),
    });
    const fresh = createRoute({
      getParentRoute: () => layout,
      path: "/new",
      component: lazyRouteComponent(() => import("./chat-page.tsx"), "NewConversation"),
    });
    const session = createRoute({
      getParentRoute: () => layout,
      path: "/$session",
      component: lazyRouteComponent(() => import("./chat-page.tsx"), "OpenConversation"),
    });
    return [layout.addChildren([begin, fresh, session])];
  },
};
