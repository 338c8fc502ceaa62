export { knowledge, knowledgeSources, knowledgeTransfer } from "./resource.ts";
export type { KnowledgeQuery, KnowledgeService } from "./routes.ts";
export type { IngestedDocument, KnowledgeSourcesService } from "./source-routes.ts";
export type { KnowledgeTransferService } from "./transfer-routes.ts";
