export { boundYoungGeneration, holdYoungGeneration } from "./young-generation.ts";
