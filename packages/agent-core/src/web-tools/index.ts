export type { FetchUrlOptions } from "./fetch-url.ts";
export { FETCH_URL_LIMITS, fetchUrl } from "./fetch-url.ts";
export type { WebToolErrorCode } from "./web-tool-error.ts";
export { WebToolError } from "./web-tool-error.ts";
