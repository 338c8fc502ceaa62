import { X } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "../../../ui/index.ts";
import type { OutgoingFile } from "../live/outgoing-message.ts";

/** The attached files, images as thumbnails, each with a button that removes it. */
export function FileChips({
  files,
  onRemove,
}: {
  readonly files: readonly OutgoingFile[];
  readonly onRemove: (index: number) => void;
}): ReactElement | null {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-1.5 px-3 pt-2.5">
      {files.map(({ name, mediaType, raw }, index) => (
        <li
          key={`${name}-${index}`}
          className="flex max-w-60 items-center gap-1.5 rounded-md border border-line bg-ground py-0.5 pr-0.5 pl-2 text-sm"
        >
          {mediaType.startsWith("image/") && (
            <img src={`data:${mediaType};base64,${raw}`} alt="" className="size-6 rounded-sm object-cover" />
          )}
          <span className="truncate">{name}</span>
          <Button kind="quiet" icon small aria-label={`Remove ${name}`} onClick={() => onRemove(index)}>
            <X aria-hidden className="size-4" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
