/** Images, where the model may not take them (ruling R13). */
import { hasImages, withoutImages } from "../context/index.ts";
import { ModelError, type ModelMessage } from "../model/index.ts";
import type { ChosenModel, TurnDeps, TurnState } from "./turn-state.ts";

/**
 * What a call sends: the conversation, for a model that takes no images with a note in the place of each. The first time
 * in a turn the journal and the log say so.
 */
export function shownMessages(state: TurnState, deps: TurnDeps, serving: ChosenModel): readonly ModelMessage[] {
  const { name, images } = serving;
  if (images?.taken() !== false && !state.blind.includes(name)) return state.messages;
  const shown = withoutImages(state.messages, name, state.forms);
  if (shown === state.messages || state.imagesNoted) return shown;
  state.imagesNoted = true;
  const text = `${name} takes no images, so a note stands in their place.`;
  state.carry.events.push({ kind: "guard.noted", guard: "images", text });
  deps.log.warn(`task ${state.record.view.id}: ${text} providers[].models.${name}.vision says whether it does.`);
  return shown;
}

/** How providers speak of it: "image_url is only supported by …", "not a multimodal model". */
const IMAGE_WORDS = /image|vision|multi-?modal|modalit/i;

/**
 * Whether a call failed, as far as one can tell, because the model takes no images: nobody had said that it does, and the
 * provider refused the request. It is asked again without them; where the provider's words are of images, for good.
 */
export function refusesImages(state: TurnState, { name, images }: ChosenModel, error: unknown): boolean {
  if (!(error instanceof ModelError) || error.status === undefined) return false;
  const isSaid = IMAGE_WORDS.test(error.message);
  if (error.code !== "bad_request" && !isSaid) return false;
  if (images?.taken() !== undefined || state.blind.includes(name) || !hasImages(state.messages)) return false;
  state.blind = [...state.blind, name];
  if (isSaid) images?.refused();
  return true;
}
