export type { EmbeddingServer } from "./embed-models.ts";
export { type EmbeddingState, Embeddings } from "./embeddings.ts";
export type { VectorState } from "./vector-state.ts";
