import type { ModelMessage } from "../model/index.ts";

/** Characters an image counts as: what most models take for one, about 1,500 tokens, whatever its bytes. */
const IMAGE_CHARS = 6_000;
/** Characters the frame of a message or a call counts as. */
const FRAME_CHARS = 16;

/** Characters of a message as they are counted against the window; a quarter of it is taken for its tokens. */
export function messageChars(message: ModelMessage): number {
  switch (message.role) {
    case "user": {
      let chars = FRAME_CHARS;
      for (const part of message.content) chars += part.kind === "text" ? part.text.length : IMAGE_CHARS;
      return chars;
    }
    case "assistant": {
      let chars = FRAME_CHARS + message.text.length;
      for (const call of message.toolCalls ?? []) chars += FRAME_CHARS + call.name.length + call.args.length;
      return chars;
    }
    case "tool":
      return FRAME_CHARS + message.text.length;
  }
}

/** Bytes a message takes in memory, about: a character takes two at most. */
export function messageBytes(message: ModelMessage): number {
  let bytes = 2 * messageChars(message);
  if (message.role !== "user") return bytes;
  for (const part of message.content) if (part.kind === "image") bytes += part.data.length;
  return bytes;
}
