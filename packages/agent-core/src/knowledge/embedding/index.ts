export type { EmbeddingServer } from "./embed-models.ts";
export { type EmbeddingState, Embeddings, type VectorState } from "./embeddings.ts";
