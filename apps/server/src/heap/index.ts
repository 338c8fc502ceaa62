export { freeCompileJobsAtOnce } from "./compile-jobs.ts";
export { boundOldGeneration } from "./old-generation.ts";
export { boundYoungGeneration } from "./young-generation.ts";
