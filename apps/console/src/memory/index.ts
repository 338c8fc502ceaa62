export { DeleteMemory } from "./delete-memory.tsx";
export { type FoundMemories, type Injection, isOwnMemory, type Memory } from "./memory.ts";
export { MemoryForm } from "./memory-form.tsx";
export { useMemoryChange } from "./use-memory-change.ts";
export { counted, whyWords } from "./why-words.ts";
