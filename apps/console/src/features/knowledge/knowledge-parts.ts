import type { Part } from "../../parts/index.ts";

/** The parts of the screen. */
export const KNOWLEDGE_PARTS: readonly Part[] = [
  { path: "/knowledge/memories", label: "Memories", feature: "knowledge" },
  { path: "/knowledge/always-on", label: "Always on", feature: "memory_inspector" },
  { path: "/knowledge/documents", label: "Documents", feature: "knowledge_sources" },
  { path: "/knowledge/conversations", label: "Conversations", feature: "memory" },
  { path: "/knowledge/review", label: "To review", feature: "knowledge" },
  { path: "/knowledge/shown", label: "Shown", feature: "memory_injections" },
  { path: "/knowledge/forgotten", label: "Forgotten", feature: "memory_inspector" },
];
