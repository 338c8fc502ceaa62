export {
  type Chunk,
  type ChunkFilter,
  DELIVERY_POLICIES,
  KNOWLEDGE_LIMITS,
  MEMORY_KINDS,
  type NewMemory,
  REVIEW_STATES,
} from "./chunk.ts";
export { type ContextSectionValue, contextSection } from "./context-section.ts";
export type { EmbeddingServer } from "./embedding/index.ts";
export { type KnowledgeFeatureOptions, knowledge, type OpenKnowledge } from "./feature.ts";
export type { ForgetCounts, ForgetScope } from "./forgetting/forget-scope.ts";
export type { Forgetting } from "./forgetting/forgetting.ts";
export type { Receipt } from "./forgetting/forgetting-rows.ts";
export type { Injection, InjectionPosition, Injections } from "./injections.ts";
export { KnowledgeError, type KnowledgeErrorCode } from "./knowledge-error.ts";
export { SEARCH_MODES, type SearchMode, type SearchResult } from "./knowledge-search.ts";
export { knowledgeSection } from "./knowledge-section.ts";
export type { ChunkDraft, OperatorKnowledge } from "./operator-knowledge.ts";
export type { ReadPriorSessions } from "./recall.ts";
export type { PriorSession } from "./recall-frame.ts";
export { indexedText, matchQuery } from "./search-words.ts";
export type { Handed, Source, SourceState } from "./sources/source.ts";
export type { SourceReference, Sources } from "./sources/sources.ts";
export type { Imported, Transfer } from "./transfer.ts";
export type { MemoryUse, MemoryUses, UsePosition } from "./uses.ts";
