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

/** What a list of files shows. */
export interface FileListProps {
  readonly files: readonly ShownFile[];
  readonly label: string;
  /** As they stand in the message box. */
  readonly small?: boolean;
  /** Takes a file out; undefined where they are sent. */
  readonly onRemove?: (index: number) => void;
  readonly className?: string | undefined;
}

/** A file that this page holds, its content in base64. */
export function heldFile({
  name,
  mediaType,
  raw,
}: {
  readonly name: string;
  readonly mediaType: string;
  readonly raw: string;
}): ShownFile {
  const padding = raw.endsWith("==") ? 2 : raw.endsWith("=") ? 1 : 0;
  return { name, mediaType, size: raw.length * 0.75 - padding, content: { kind: "held", raw } };
}

/** For what its type says is a picture, and no browser draws. */
export const BROKEN_PICTURE = "The picture cannot be shown: it is damaged.";

/** Whether a file is shown as a picture. */
export function isPicture({ mediaType, content }: ShownFile): boolean {
  return mediaType.startsWith("image/") && content.kind !== "gone";
}
