/** What callers send, as the model reads it (A12). */
import { CodedError } from "../error/index.ts";
import type { InputMessage, InputPart } from "../event/index.ts";
import type { ModelContent } from "../model/index.ts";

/** Text-like files up to this many bytes are inlined (A12). */
export const MAX_INLINE_FILE_BYTES = 256 * 1024;

/** Content the agent cannot take (A2A -32005). */
export class UnsupportedContentError extends CodedError<"unsupported_content"> {
  override readonly name = "UnsupportedContentError";

  constructor(message: string, options?: ErrorOptions) {
    super("unsupported_content", message, options);
  }
}

const TEXT_LIKE =
  /^(text\/|application\/(json|xml|yaml|x-yaml|javascript|x-sh|sql|toml|csv)\b|application\/[a-z0-9.+-]+\+(json|xml|yaml))/i;

function fileContent(part: Extract<InputPart, { kind: "file" }>): ModelContent {
  if (/^image\/(png|jpe?g|gif|webp)$/i.test(part.mediaType)) {
    return { kind: "image", mediaType: part.mediaType.toLowerCase(), data: part.bytes };
  }
  const name = part.name ?? "file";
  if (!TEXT_LIKE.test(part.mediaType)) {
    throw new UnsupportedContentError(`files of type ${part.mediaType} are not supported: ${name}`);
  }
  const bytes = Buffer.from(part.bytes, "base64");
  if (bytes.byteLength > MAX_INLINE_FILE_BYTES) {
    throw new UnsupportedContentError(`${name} is larger than ${MAX_INLINE_FILE_BYTES / 1024} KiB`);
  }
  return { kind: "text", text: `File ${name} (${part.mediaType}):\n${bytes.toString("utf8")}` };
}

function partContent(part: InputPart): ModelContent {
  switch (part.kind) {
    case "text":
      return { kind: "text", text: part.text };
    case "data":
      return { kind: "text", text: JSON.stringify(part.data) };
    case "file":
      return fileContent(part);
  }
}

/** Turns a message into model content. @throws UnsupportedContentError */
export function inputContent(message: InputMessage): ModelContent[] {
  return message.parts.map(partContent);
}

/** The text parts of a message, joined by newlines. */
export function inputText(message: InputMessage): string {
  return message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
}
