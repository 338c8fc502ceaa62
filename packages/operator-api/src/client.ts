/** The typed client of the operator API, for browsers and Node: a reading of the definitions' types (O2). */

import { type ApiClient, type ClientOptions, createClient } from "./http-client/index.ts";
import type { OperatorDefinition } from "./operator-resources.ts";

export {
  type AnswerOf,
  type ApiClient,
  type CallOptions,
  type ClientOptions,
  OperatorApiError,
} from "./http-client/index.ts";
export type { OperatorDefinition } from "./operator-resources.ts";
export { problemText } from "./problem/index.ts";
export {
  freeId,
  PROVIDER_PRESETS,
  type ProviderPreset,
  presetOf,
  suggestedConnectionId,
} from "./provider-presets/index.ts";
export { TASK_ORIGINS } from "./task-origins/index.ts";

/** A client of the operator API: `client.get("/api/runtime/status")`. */
export type OperatorClient = ApiClient<OperatorDefinition>;

/** Makes a client of the operator API. Its calls reject with `OperatorApiError`, or as `fetch` does. */
export function createOperatorClient(options: ClientOptions = {}): OperatorClient {
  return createClient<OperatorDefinition>(options);
}
