export { createIdempotency, type IdempotencyOptions } from "./create-idempotency.ts";
export { readKey } from "./read-key.ts";
