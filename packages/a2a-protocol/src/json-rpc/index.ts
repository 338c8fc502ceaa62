export { errorEnvelope, resultEnvelope, resultPrefix } from "./envelope.ts";
export { brokenBound, type JsonBounds } from "./json-extent.ts";
export { JSON_BOUNDS, parseJson } from "./parse-json.ts";
export type { JsonRpcRequest, UnreadableRequest } from "./parse-request.ts";
export { parseRequest } from "./parse-request.ts";
export { resultOf } from "./parse-response.ts";
export { isJsonContentType, readBody, readWithin } from "./read-body.ts";
