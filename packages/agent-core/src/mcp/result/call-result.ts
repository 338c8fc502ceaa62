/** From what a server answered to a call to what the model reads of it (M9). It was written by others: nothing is trusted. */
import { cleanHead, clipText } from "../../tool/index.ts";
import { imageOf, type ResultImage } from "./result-image.ts";

/** Images of a result. */
const MAX_IMAGES = 4;
/** Contents of a result that are read; the rest are a number. */
const MAX_CONTENTS = 1_000;
const MAX_NAME_CHARS = 300;

/** A result of a call. */
export interface CallResult {
  /** False: the server answered that the call failed. */
  readonly ok: boolean;
  readonly text: string;
  readonly images: readonly ResultImage[];
}

type Fields = { readonly [key: string]: unknown };

/** One content: what the model reads of it. `note`: a line about something that is not shown. */
type Read =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "image"; readonly image: ResultImage };

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Takes secrets out of a text. */
type Redact = (text: string) => string;

/** How contents are read. */
interface Reading {
  readonly showsImages: boolean;
  readonly redact: Redact;
}

/** A name, type or address of a server in one line. */
function oneLine(value: unknown, redact: Redact, most = MAX_NAME_CHARS): string {
  const clean = (read: string): string => redact(read.replace(/[\s\p{C}]+/gu, " ").trim());
  const text = cleanHead(textOf(value), most + 1, clean);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** How a result is read. */
export interface ResultOptions {
  /** Null: no bound of its own. */
  readonly maxChars: number | null;
  /** The caller shows `images`; else each is a line with its type and size. Default false. */
  readonly showsImages?: boolean;
  /** Default: nothing is taken out. */
  readonly redact?: Redact;
}

/** Reads a `CallToolResult`. Never throws. */
export function readCallResult(
  result: unknown,
  { maxChars, showsImages = false, redact = (text) => text }: ResultOptions,
): CallResult {
  const { content, structuredContent, isError } = isFields(result) ? result : {};
  const contents: readonly unknown[] = Array.isArray(content) ? content : [];
  const read = contents.slice(0, MAX_CONTENTS).map((one) => readContent(one, { showsImages, redact }));
  const images = read.flatMap((one) => (one.kind === "image" ? [one.image] : []));
  const hasText = read.some(({ kind }) => kind === "text");
  const left = [
    ...(images.length > MAX_IMAGES
      ? [`[${images.length - MAX_IMAGES} more images, of which a result shows ${MAX_IMAGES}]`]
      : []),
    ...(contents.length > MAX_CONTENTS ? [`[${contents.length - MAX_CONTENTS} more contents]`] : []),
  ];
  const texts = [
    ...(hasText || structuredContent === undefined ? [] : [jsonOf(structuredContent)]),
    ...read.flatMap((one) => (one.kind === "image" ? [] : [one.text])),
    ...left,
  ];
  const shown = images.slice(0, MAX_IMAGES);
  const joined = texts.filter((text) => text !== "").join("\n\n");
  const text = joined === "" ? emptyText(shown.length) : joined;
  return { ok: isError !== true, text: maxChars === null ? text : clipText(text, maxChars, redact), images: shown };
}

function emptyText(images: number): string {
  if (images === 0) return "[The result is empty.]";
  return images === 1 ? "[The result is an image.]" : `[The result is ${images} images.]`;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "[The structured result cannot be shown: it is no JSON.]";
  }
}

function readContent(content: unknown, reading: Reading): Read {
  if (!isFields(content)) return { kind: "note", text: "[A content without a type]" };
  switch (content.type) {
    case "text":
      return { kind: "text", text: textOf(content.text) };
    case "image":
      return readBlob(content, { kind: "image", uri: "", ...reading });
    case "audio":
      return readBlob(content, { kind: "audio", uri: "", ...reading, showsImages: false });
    case "resource_link":
      return { kind: "text", text: linkOf(content, reading) };
    case "resource":
      return readResource(content.resource, reading);
    default:
      return {
        kind: "note",
        text: `[A content of the type ${oneLine(content.type, reading.redact, 64) || "unknown"}]`,
      };
  }
}

function linkOf({ name, title, uri }: Fields, { redact }: Reading): string {
  const label = oneLine(title, redact) || oneLine(name, redact) || oneLine(uri, redact);
  const address = oneLine(uri, redact, 2_000).replaceAll(" ", "%20").replaceAll("(", "%28").replaceAll(")", "%29");
  return `[${label.replace(/[[\]\\]/g, "\\$&")}](${address})`;
}

function readResource(resource: unknown, reading: Reading): Read {
  if (!isFields(resource)) return { kind: "note", text: "[A resource without contents]" };
  const uri = oneLine(resource.uri, reading.redact, 2_000);
  if (typeof resource.text === "string")
    return { kind: "text", text: uri === "" ? resource.text : `${uri}\n${resource.text}` };
  return readBlob({ ...resource, data: resource.blob }, { kind: "blob", uri, ...reading });
}

/** What a blob is part of. */
interface BlobPlace extends Reading {
  readonly kind: "image" | "audio" | "blob";
  /** Of a resource; else blank. */
  readonly uri: string;
}

/** An image that can be shown, or a line with type and size. */
function readBlob({ mimeType, data }: Fields, { kind, uri, showsImages, redact }: BlobPlace): Read {
  const type = oneLine(mimeType, redact, 100).toLowerCase();
  const image = !showsImages || typeof data !== "string" ? undefined : imageOf(type, data);
  if (typeof image === "object") return { kind: "image", image };
  const size = typeof data === "string" ? `, ${bytesText(Math.floor((data.length * 3) / 4))}` : "";
  const reason = image === undefined ? "" : `, not shown: ${image}`;
  const what = `${kind === "blob" ? "" : `${kind} `}${type || "of an unknown type"}${size}${reason}`;
  return { kind: "note", text: uri === "" ? `[${what}]` : `${uri}\n[${what}]` };
}

function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`;
  return bytes < 1_024 * 1_024 ? `${Math.round(bytes / 1_024)} KiB` : `${(bytes / 1_024 / 1_024).toFixed(1)} MiB`;
}
