/** What servers may ask of the service besides people: an answer of a model, and the folders that the agent works in (M11). */
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "../../json/index.ts";
import type { OfferedMethod } from "../offered-method.ts";

/** What the settings of a server say of it. */
export interface OfferSettings {
  readonly sampling: boolean;
  readonly roots: boolean;
}

export const NO_OFFERS: ReadonlySet<OfferedMethod> = new Set();

export function offersOf({ sampling, roots }: OfferSettings): ReadonlySet<OfferedMethod> {
  if (!sampling && !roots) return NO_OFFERS;
  return new Set([
    ...(sampling ? (["sampling/createMessage"] as const) : []),
    ...(roots ? (["roots/list"] as const) : []),
  ]);
}

/** A `ListRootsResult` of folders. */
export function rootsOf(folders: readonly string[]): JsonObject {
  return { roots: folders.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })) };
}
