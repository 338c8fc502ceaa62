/** Replaces images by notes for a model that takes none. Stored history keeps them (EN7). */
import type { ModelContent, ModelMessage } from "../model/index.ts";
import { MessageForms } from "./message-forms.ts";

type UserMessage = Extract<ModelMessage, { readonly role: "user" }>;

const isImage = (part: ModelContent): boolean => part.kind === "image";
const holdsImage = (message: ModelMessage): message is UserMessage =>
  message.role === "user" && message.content.some(isImage);

export function hasImages(messages: readonly ModelMessage[]): boolean {
  return messages.some(holdsImage);
}

/** The messages with a note for each image; the same list where there is none. `model` is named in the notes. */
export function withoutImages(
  messages: readonly ModelMessage[],
  model: string,
  forms = new MessageForms(),
): readonly ModelMessage[] {
  if (!hasImages(messages)) return messages;
  return messages.map((message) => {
    if (!holdsImage(message)) return message;
    const make = () => ({ ...message, content: message.content.map((part) => noteFor(part, model)) });
    return forms.withoutImages(message, model, make);
  });
}

function noteFor(part: ModelContent, model: string): ModelContent {
  if (part.kind !== "image") return part;
  const text = `[An image (${part.mediaType}) was sent here. You cannot see it: ${model} takes no images. Say so where it matters.]`;
  return { kind: "text", text };
}
