import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Brain } from "lucide-react";
import type { Screen } from "../../shell/index.ts";
import { KNOWLEDGE_PARTS } from "./knowledge-parts.ts";

/** What the agent remembers, the documents and conversations it comes from, what waits for a person, and what was forgotten. */
export const knowledge: Screen = {
  id: "knowledge",
  order: 52,
  label: "Knowledge",
  icon: Brain,
  feature: "knowledge",
  group: "service",
  key: "k",
  waiting: {
    key: ["knowledge", "waiting"],
    read: async ({ operator }) =>
      (await operator.get("/api/knowledge/search", { query: { review_state: "pending", k: 1 } })).pending,
  },
  pages: KNOWLEDGE_PARTS.map((part) => ({
    ...part,
    keywords:
      "knowledge memory memories remember facts recall conversations forget receipts injections preview always-on",
  })),
  routes: (parent) => {
    const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
      createRoute({ getParentRoute: () => parent, path, component });
    return [
      at(
        "/knowledge",
        lazyRouteComponent(() => import("./knowledge-home.tsx"), "KnowledgeHome"),
      ),
      at(
        "/knowledge/memories",
        lazyRouteComponent(() => import("./memories-page.tsx"), "MemoriesPage"),
      ),
      at(
        "/knowledge/always-on",
        lazyRouteComponent(() => import("./always-on-page.tsx"), "AlwaysOnPage"),
      ),
      at(
        "/knowledge/shown",
        lazyRouteComponent(() => import("./shown/shown-page.tsx"), "ShownPage"),
      ),
      at(
        "/knowledge/documents",
        lazyRouteComponent(() => import("./documents-page.tsx"), "DocumentsPage"),
      ),
      at(
        "/knowledge/conversations",
        lazyRouteComponent(() => import("./conversations-page.tsx"), "ConversationsPage"),
      ),
      at(
        "/knowledge/forgotten",
        lazyRouteComponent(() => import("./forgotten-page.tsx"), "ForgottenPage"),
      ),
      at(
        "/knowledge/review",
        lazyRouteComponent(() => import("./review-page.tsx"), "ReviewPage"),
      ),
    ];
  },
};
