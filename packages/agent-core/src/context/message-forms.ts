import type { ModelMessage, WrittenConversation } from "../model/index.ts";
import { shortenResult } from "./shorten-result.ts";

/**
 * The forms of a conversation's messages from former calls: shortened results, notes that replace images, and serialized
 * texts. Each message gives the same object each time, so that its serialized form is found again.
 */
export class MessageForms {
  /** For the adapter. */
  readonly written: WrittenConversation = { kept: undefined, bytes: 0 };
  #shortened = new WeakMap<ModelMessage, ModelMessage>();
  #minChars = 0;
  #withoutImages = new WeakMap<ModelMessage, ModelMessage>();
  #model = "";

  /** A result cut in its middle; the same object where it is short. */
  shortened(message: Extract<ModelMessage, { readonly role: "tool" }>, minChars: number): ModelMessage {
    if (message.text.length < minChars) return message;
    if (minChars !== this.#minChars) {
      this.#shortened = new WeakMap();
      this.#minChars = minChars;
    }
    const known = this.#shortened.get(message);
    if (known !== undefined) return known;
    const made = { ...message, text: shortenResult(message.text, minChars) };
    this.#shortened.set(message, made);
    return made;
  }

  /** A message as `make` makes it for a model that takes no images. */
  withoutImages(message: ModelMessage, model: string, make: () => ModelMessage): ModelMessage {
    if (model !== this.#model) {
      this.#withoutImages = new WeakMap();
      this.#model = model;
    }
    const known = this.#withoutImages.get(message);
    if (known !== undefined) return known;
    const made = make();
    this.#withoutImages.set(message, made);
    return made;
  }
}
