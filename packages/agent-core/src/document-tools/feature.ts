import { defineFeature, featureKey } from "../feature/index.ts";
import { files } from "../filesystem/index.ts";
import { knowledgeSection, type Sources } from "../knowledge/index.ts";
import { ingestTool } from "./ingest-tool.ts";

const knowledge = featureKey<"knowledge", { readonly sources: Sources }>("knowledge");

/** The agent's tool that reads documents into its memory, from addresses and files of projects. */
export const documentTools = defineFeature({
  name: "document-tools",
  category: "memory",
  needs: [files, knowledge],
  sections: [knowledgeSection],
  open: (_, { needs, settings }) =>
    ingestTool({
      ...{ sources: needs.knowledge.sources, fence: needs.filesystem.fence },
      confirmsAlwaysOn: () => settings.knowledge.hot_write_confirm,
    }),
  tools: (tool) => [tool],
});
