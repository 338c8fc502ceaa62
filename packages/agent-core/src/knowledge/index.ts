export { type ContextSectionValue, contextSection } from "./context-section.ts";
export { type KnowledgeFeatureOptions, knowledge, type OpenKnowledge } from "./feature.ts";
export { knowledgeSection } from "./knowledge-section.ts";
