export { boundOldGeneration } from "./old-generation.ts";
export { boundYoungGeneration, holdYoungGeneration } from "./young-generation.ts";
