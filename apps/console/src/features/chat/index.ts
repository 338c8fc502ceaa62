import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { MessageSquare } from "lucide-react";
import type { Screen } from "../../shell/index.ts";

/** Conversations with the agent. */
export const chat: Screen = {
  id: "chat",
  order: 10,
  label: "Chat",
  icon: MessageSquare,
  feature: "sessions",
  group: "work",
  key: "c",
  startOnPhone: "/chat/new",
  finds: { label: "Chats", load: async () => (await import("./find-chats.ts")).findChats },
  pages: [{ path: "/chat/new", label: "New chat", keywords: "conversation session start", keys: "n c" }],
  routes: (parent) => {
    const pages = () => import("./chat-page.tsx");
    const layout = createRoute({
      getParentRoute: () => parent,
      path: "/chat",
      component: lazyRouteComponent(pages, "ChatPage"),
    });
    const children = [
      ["/", "BesideList"],
      ["/new", "NewConversation"],
      ["/$session", "OpenConversation"],
    ] as const;
    return [
      layout.addChildren(
        children.map(([path, name]) =>
          createRoute({ getParentRoute: () => layout, path, component: lazyRouteComponent(pages, name) }),
        ),
      ),
    ];
  },
};
