export { type EmbeddingServer, type EmbeddingState, Embeddings, type FoundByMeaning } from "./embeddings.ts";
