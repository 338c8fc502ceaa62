import { storableText } from "../database/index.ts";
import { folded, type NewMemory } from "./chunk.ts";

/** A memory as it is stored: without secrets, its domain folded, and `hot` always-on (K5, S5). */
export function cleanMemory(memory: NewMemory, redact: (text: string) => string): NewMemory {
  const clean = (text: string): string => storableText(redact(text)).trim();
  const domain = folded(clean(memory.domain));
  return {
    ...memory,
    domain,
    content: clean(memory.content),
    subject: clean(memory.subject),
    heading: clean(memory.heading),
    policy: domain === "hot" ? "always" : memory.policy,
  };
}
