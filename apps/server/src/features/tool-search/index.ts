import { defineTools, searchTools } from "@agent-service/agent-core/host";
import { defineServiceFeature } from "../../service-feature/index.ts";

/** The tool that finds the tools whose schemas are withheld (settings `tools.deferred`). */
export const toolSearch = defineServiceFeature({
  engine: () => defineTools("tool-search", ({ toolbox }) => [searchTools(toolbox)], { category: "tools" }),
});
