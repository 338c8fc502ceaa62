export {
  ASK_AGENT,
  type ExposedAgentTool,
  type ExposedEntry,
  type ExposeSettings,
  exposedAgentTools,
  exposedEntries,
  exposedOperations,
} from "./exposed-tools.ts";
