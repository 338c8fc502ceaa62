export { knowledge, knowledgeSources } from "./resource.ts";
export type { KnowledgeQuery, KnowledgeService } from "./routes.ts";
