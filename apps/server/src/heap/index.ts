export { boundCompilers } from "./compilers.ts";
export { boundOldGeneration } from "./old-generation.ts";
export { boundYoungGeneration } from "./young-generation.ts";
