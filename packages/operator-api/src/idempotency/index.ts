export { createIdempotency, type IdempotencyOptions } from "./create-idempotency.ts";
