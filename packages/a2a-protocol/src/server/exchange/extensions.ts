import type { AgentCard } from "../../agent-card/index.ts";
import { A2AError } from "../../error/index.ts";

/**
 * The declared extensions a request activates, by `A2A-Extensions` (1.0) or `X-A2A-Extensions` (0.3); unknown ones are
 * ignored, and undefined means none. Throws `A2AError` EXTENSION_SUPPORT_REQUIRED where a required one is missing.
 */
export function activatedExtensions(
  request: Request,
  card: (request: Request) => AgentCard,
): readonly string[] | undefined {
  const header = request.headers.get("a2a-extensions") ?? request.headers.get("x-a2a-extensions");
  const declared = card(request).capabilities.extensions ?? [];
  const asked = header === null ? [] : header.split(",").map((uri) => uri.trim());
  const missing = declared.find((extension) => extension.required === true && !asked.includes(extension.uri));
  if (missing !== undefined) {
    throw new A2AError("EXTENSION_SUPPORT_REQUIRED", `The extension ${missing.uri} is required`);
  }
  if (header === null) return undefined;
  const active = declared.map((extension) => extension.uri).filter((uri) => asked.includes(uri));
  return active.length > 0 ? active : undefined;
}
