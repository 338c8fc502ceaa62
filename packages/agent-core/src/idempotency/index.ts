export type {
  Claim,
  IdempotencyBounds,
  IdempotencyKey,
  IdempotencyStore,
  StoredResponse,
} from "./idempotency-store.ts";
export { createIdempotencyStore } from "./idempotency-store.ts";
