export { executeCodeSection } from "./execute-code-section.ts";
export { codeRun, codeRunIn } from "./feature.ts";
