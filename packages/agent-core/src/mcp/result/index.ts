export { type CallResult, readCallResult } from "./call-result.ts";
export type { ResultImage } from "./result-image.ts";
