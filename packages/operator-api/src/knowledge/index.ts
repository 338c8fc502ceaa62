export { knowledge, knowledgeAttachments, knowledgeSources } from "./resource.ts";
export type { KnowledgeQuery, KnowledgeService } from "./routes.ts";
export type { IngestedDocument, KnowledgeSourcesService } from "./source-routes.ts";
