import type { Part } from "../../parts/index.ts";

/** The parts of the screen, each of a feature of its own. */
export const EXTENSION_PARTS: readonly Part[] = [
  { path: "/extensions/mcp", label: "MCP servers", feature: "mcp" },
  { path: "/extensions/skills", label: "Skills", feature: "skills" },
];
