export { knowledge, knowledgeSources, knowledgeTransfer } from "./resource.ts";
export type { ChunkRow, KnowledgeQuery, KnowledgeService } from "./routes.ts";
export { memoryNumber } from "./routes.ts";
export { chunkSchema, contentText, shortText } from "./schema.ts";
export type { IngestedDocument, KnowledgeSourcesService } from "./source-routes.ts";
export type { KnowledgeTransferService } from "./transfer-routes.ts";
