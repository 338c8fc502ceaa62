export { knowledge } from "./feature.ts";
export { knowledgeSection } from "./knowledge-section.ts";
