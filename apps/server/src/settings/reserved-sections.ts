/**
 * Sections that the specification has (B61 to B63) and whose feature is not part of this release. Someone who writes them made no
 * typing error; the loader says once that they do nothing yet. A section leaves this list with its declaration.
 */
export const RESERVED_SECTIONS = [
  "acp",
  "context",
  "delegates",
  "discovery",
  "execute_code",
  "filesystem",
  "fleet",
  "goal",
  "inbox",
  "knowledge",
  "mcp",
  "memory",
  "onboarding",
  "operator",
  "plugins",
  "projects",
  "runtime",
  "security",
  "skills",
  "soul",
  "watches",
  "workflow_runs",
  "workflows",
] as const;
