export { executeCodeSection } from "./execute-code-section.ts";
export { codeRun } from "./feature.ts";
