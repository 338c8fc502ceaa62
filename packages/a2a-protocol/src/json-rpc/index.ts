export { errorEnvelope, resultEnvelope, resultPrefix } from "./envelope.ts";
export { isNestedDeeperThan } from "./json-depth.ts";
export { MAX_JSON_DEPTH, parseJson } from "./parse-json.ts";
export type { JsonRpcRequest, UnreadableRequest } from "./parse-request.ts";
export { parseRequest } from "./parse-request.ts";
export { resultOf } from "./parse-response.ts";
