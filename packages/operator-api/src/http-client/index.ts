export type { AnswerOf, ApiClient, Ask, CallArguments, CallOf, CallOptions } from "./client-types.ts";
export { type ClientOptions, createClient } from "./create-client.ts";
export { OperatorApiError } from "./operator-api-error.ts";
