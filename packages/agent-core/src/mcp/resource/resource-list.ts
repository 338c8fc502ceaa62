/** What the model reads of a server's list of resources. It was written by others: nothing is trusted. Never throws. */
import { cleanHead, clipText } from "../../tool/index.ts";
import { MAX_ADDRESS_CHARS, withoutInvisible } from "../definition/index.ts";

const MAX_NAME_CHARS = 100;
const MAX_DESCRIPTION_CHARS = 300;
/** Resources of a page that are listed; the rest are a number. */
const MAX_LISTED = 500;

type Fields = { readonly [key: string]: unknown };

export interface ListOptions {
  /** Null: no bound of its own. */
  readonly maxChars: number | null;
  /** Takes secrets out of what the server says, before it is cut. */
  redact(text: string): string;
}

/** A page of resources, with the templates of addresses where they were asked for. */
export function readResourceList(page: unknown, templates: unknown, { maxChars, redact }: ListOptions): string {
  const line = (value: unknown, most: number): string => {
    if (typeof value !== "string") return "";
    const clean = (read: string): string => redact(withoutInvisible(read).replaceAll(/\s+/g, " ").trim());
    const head = cleanHead(value, most + 1, clean);
    return head.length > most ? `${head.slice(0, most - 1)}…` : head;
  };
  const { resources, nextCursor } = (page ?? {}) as Fields;
  const listed = linesOf(resources, "uri", line);
  const offered = linesOf(((templates ?? {}) as Fields).resourceTemplates, "uriTemplate", line);
  const hasMore = typeof nextCursor === "string" && nextCursor !== "" && nextCursor.length <= MAX_ADDRESS_CHARS;
  const text = [
    ...(listed.length === 0 ? ["It lists no resources."] : listed),
    ...(offered.length === 0 ? [] : ["", "Addresses that it takes too, with a value for each {name}:", ...offered]),
  ].join("\n");
  // The cursor stands last, and whole: the middle of a long list is what is cut.
  const shown = maxChars === null ? text : clipText(text, maxChars, redact);
  return hasMore ? `${shown}\n\nThere is more: call it again with cursor ${JSON.stringify(redact(nextCursor))}` : shown;
}

function linesOf(
  listed: unknown,
  key: "uri" | "uriTemplate",
  line: (value: unknown, most: number) => string,
): readonly string[] {
  const all: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const lines = all.slice(0, MAX_LISTED).flatMap((one): readonly string[] => {
    const fields = (one ?? {}) as Fields;
    const address = line(fields[key], MAX_ADDRESS_CHARS);
    if (address === "") return [];
    const { size, mimeType } = fields;
    const facts = [
      line(fields.title, MAX_NAME_CHARS) || line(fields.name, MAX_NAME_CHARS),
      line(mimeType, MAX_NAME_CHARS),
      typeof size === "number" && Number.isSafeInteger(size) ? `${size} bytes` : "",
    ].filter((fact) => fact !== "" && fact !== address);
    const description = line(fields.description, MAX_DESCRIPTION_CHARS);
    const about = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
    return [`- ${address}${about}${description === "" ? "" : `: ${description}`}`];
  });
  const left = all.length - MAX_LISTED;
  return left > 0 ? [...lines, `- and ${left} more of this page`] : lines;
}
