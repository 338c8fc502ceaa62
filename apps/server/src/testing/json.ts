/** Any JSON object, as loosely as a test reads it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into at any depth, and `expect` checks what is there
export type Json = { [key: string]: any };
