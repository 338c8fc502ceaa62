export { type CallResult, type ResultOptions, readCallResult } from "./call-result.ts";
export type { ResultImage } from "./result-image.ts";
