/** Content of a message in the engine's form (A12): text, images and files, all of them as bytes. */
import type { InputPart } from "@agent-service/agent-core/host";
import { badRequest } from "./api-error.ts";

/** Any JSON object. */
export interface Fields {
  readonly [name: string]: unknown;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Maximum parts of one message. */
const MAX_PARTS = 1_000;
/** The part of a data URL before its comma. */
const DATA_URL_HEAD = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)(?:;[\w.=-]+)*;base64$/i;
const MAX_HEAD_CHARS = 200;

/** Searches for a character that base64 does not have: a pattern of the whole would keep a backtracking state for each of millions of characters. */
function isBase64(text: string): boolean {
  const unpadded = text.replace(/={1,2}$/, "");
  return unpadded !== "" && !/[^A-Za-z0-9+/]/.test(unpadded);
}

/** A file as `data:<media type>;base64,<data>`. @throws ApiError 400 for an address or anything else */
function fileOfUrl(url: unknown, param: string, name?: string): InputPart {
  if (typeof url !== "string") throw badRequest("Expected a data: URL.", param);
  if (/^https?:/i.test(url)) {
    throw badRequest("Addresses are not fetched; send the bytes as a data: URL.", param, "unsupported_url");
  }
  const comma = url.indexOf(",");
  const head = comma > 0 && comma <= MAX_HEAD_CHARS ? DATA_URL_HEAD.exec(url.slice(0, comma)) : null;
  const bytes = url.slice(comma + 1);
  if (head?.[1] === undefined || !isBase64(bytes)) {
    throw badRequest("Expected data:<media type>;base64,<data>.", param, "invalid_data_url");
  }
  return { kind: "file", mediaType: head[1], bytes, ...(name === undefined ? {} : { name }) };
}

function partOf(part: unknown, param: string): InputPart {
  if (!isFields(part)) throw badRequest("A content part is an object.", param);
  switch (part.type) {
    case "text":
      return { kind: "text", text: textField(part.text, `${param}.text`) };
    case "refusal":
      return { kind: "text", text: textField(part.refusal, `${param}.refusal`) };
    case "image_url":
      // Some clients send the address instead of the object.
      return isFields(part.image_url)
        ? fileOfUrl(part.image_url.url, `${param}.image_url.url`)
        : fileOfUrl(part.image_url, `${param}.image_url`);
    case "file": {
      const file = isFields(part.file) ? part.file : {};
      const name = typeof file.filename === "string" ? file.filename : undefined;
      return fileOfUrl(file.file_data, `${param}.file.file_data`, name);
    }
    default:
      throw badRequest("This agent takes text, image_url and file parts.", `${param}.type`, "unsupported_content");
  }
}

/** A text, whatever it holds. @throws ApiError 400 */
export function textField(value: unknown, param: string): string {
  if (typeof value !== "string") throw badRequest("Expected a string.", param);
  return value;
}

/** The parts of a message's `content`: a string, or a list of parts. @throws ApiError 400 naming the part */
export function contentParts(content: unknown, param: string): InputPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content)) throw badRequest("Expected a string or a list of content parts.", param);
  if (content.length === 0) throw badRequest("Expected at least one content part.", param);
  if (content.length > MAX_PARTS) throw badRequest(`At most ${MAX_PARTS} content parts are taken.`, param);
  return content.map((part, index) => partOf(part, `${param}[${index}]`));
}

/** The same where only text is allowed: system and tool messages. @throws ApiError 400 */
export function contentText(content: unknown, param: string): string {
  const texts = contentParts(content, param).map((part) => {
    if (part.kind !== "text") throw badRequest("Only text is taken here.", param, "unsupported_content");
    return part.text;
  });
  return texts.join("\n");
}
