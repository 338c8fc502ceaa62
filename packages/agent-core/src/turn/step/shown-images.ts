/** Images, where the model may not take them (R13). */
import { hasImages, withoutImages } from "../../context/index.ts";
import { ModelError, type ModelMessage } from "../../model/index.ts";
import type { ChosenModel, TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";

/**
 * The messages that a call sends: for a model that takes no images each is replaced by a note. The first time in a turn
 * this is recorded in the journal and the log.
 */
export function shownMessages(
  { conversation, routing, carry, record }: Pick<TurnState, "conversation" | "routing" | "carry" | "record">,
  { log }: Pick<TurnDeps, "log">,
  { name, images }: ChosenModel,
): readonly ModelMessage[] {
  const { messages, forms } = conversation;
  if (images?.taken() !== false && !routing.refusedImages.includes(name)) return messages;
  const shown = withoutImages(messages, name, forms);
  if (shown === messages || routing.imagesNoted) return shown;
  routing.imagesNoted = true;
  const text = `${name} takes no images, so notes replace them.`;
  carry.events.push({ kind: "guard.noted", guard: "images", text });
  log.warn(`task ${record.view.id}: ${text} providers[].models.${name}.vision sets whether it does.`);
  return shown;
}

/** Wordings of providers: "image_url is only supported by …", "not a multimodal model". */
const IMAGE_WORDS = /image|vision|multi-?modal|modalit/i;

/**
 * Whether a call probably failed because the model takes no images: no setting declares that it does, and the provider
 * refused the request. It is called again without them; where the provider's message names images, from now on.
 */
export function refusesImages(
  { conversation, routing }: Pick<TurnState, "conversation" | "routing">,
  { name, images }: ChosenModel,
  error: unknown,
): boolean {
  if (!(error instanceof ModelError) || error.status === undefined) return false;
  const isStated = IMAGE_WORDS.test(error.message);
  if (error.code !== "bad_request" && !isStated) return false;
  const { refusedImages } = routing;
  if (images?.taken() !== undefined || refusedImages.includes(name) || !hasImages(conversation.messages)) return false;
  routing.refusedImages = [...refusedImages, name];
  if (isStated) images?.refused();
  return true;
}
