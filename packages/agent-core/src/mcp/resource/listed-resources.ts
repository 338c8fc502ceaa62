/** Resources of a server as operators see them. They were written by others: nothing is trusted. Never throws. */
import { cleanHead } from "../../tool/index.ts";
import { MAX_ADDRESS_CHARS, withoutInvisible } from "../definition/index.ts";
import type { McpListedResource } from "../mcp-server-view.ts";

const MAX_LISTED = 100;
const MAX_TEXT_CHARS = 200;

/** The first resources of a page, redacted. */
export function listedResources(page: unknown, redact: (text: string) => string): readonly McpListedResource[] {
  const { resources } = (page ?? {}) as { readonly resources?: unknown };
  const all: readonly unknown[] = Array.isArray(resources) ? resources : [];
  const textOf = (value: unknown, most: number): string =>
    typeof value === "string"
      ? cleanHead(value, most, (text) => redact(withoutInvisible(text).replaceAll(/\s+/g, " ").trim()))
      : "";
  return all.slice(0, MAX_LISTED).flatMap((one): readonly McpListedResource[] => {
    const fields = (one ?? {}) as { readonly [key: string]: unknown };
    const uri = textOf(fields.uri, MAX_ADDRESS_CHARS);
    const name = textOf(fields.title, MAX_TEXT_CHARS) || textOf(fields.name, MAX_TEXT_CHARS);
    return uri === "" ? [] : [{ uri, name, mediaType: textOf(fields.mimeType, MAX_TEXT_CHARS) }];
  });
}
