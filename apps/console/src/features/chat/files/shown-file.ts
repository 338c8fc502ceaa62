import type { OutgoingFile } from "../live/outgoing-message.ts";

/** A file of a message as it is shown: about to be sent, sent from this page, or stored. */
export interface ShownFile {
  readonly name: string;
  readonly mediaType: string;
  /** Bytes; undefined where that is not known. */
  readonly size: number | undefined;
  readonly content: FileContent;
}

/** Where the content of a file is: on this page in base64, with the service, or nowhere any more. */
export type FileContent =
  | { readonly kind: "held"; readonly raw: string }
  | { readonly kind: "stored"; readonly session: string; readonly task: string; readonly id: string }
  | { readonly kind: "gone" };

/** A file that this page holds. */
export function heldFile({ name, mediaType, raw }: OutgoingFile): ShownFile {
  const padding = raw.endsWith("==") ? 2 : raw.endsWith("=") ? 1 : 0;
  return { name, mediaType, size: raw.length * 0.75 - padding, content: { kind: "held", raw } };
}

/** For what its type says is a picture, and no browser draws. */
export const BROKEN_PICTURE = "The picture cannot be shown: it is damaged.";

/** Whether a file is shown as a picture. */
export function isPicture({ mediaType, content }: ShownFile): boolean {
  return mediaType.startsWith("image/") && content.kind !== "gone";
}
