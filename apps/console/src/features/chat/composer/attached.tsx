import { type ReactElement, useMemo } from "react";
import { FileList, heldFile } from "../../../message-files/index.ts";
import type { OutgoingFile } from "../live/outgoing-message.ts";

/** What goes with the message: attached, being read, or about to be dropped. */
export function Attached({
  files,
  reading,
  isHeld,
  isOver,
  onChange,
}: {
  readonly files: readonly OutgoingFile[];
  readonly reading: readonly string[];
  /** The message is sent once they are read. */
  readonly isHeld: boolean;
  readonly isOver: boolean;
  readonly onChange: (files: readonly OutgoingFile[]) => void;
}): ReactElement {
  const shown = useMemo(() => files.map(heldFile), [files]);
  return (
    <>
      <FileList
        files={shown}
        label="Attached files"
        small
        onRemove={(removed) => onChange(files.filter((_, index) => index !== removed))}
        className="px-3 pt-3"
      />
      {reading.length > 0 && (
        <p role="status" className="truncate px-4 pt-2.5 text-sm text-ink-soft">
          Reading {reading.join(", ")}… {isHeld && "It is sent after that."}
        </p>
      )}
      {isOver && <p className="px-4 pt-2.5 text-sm text-accent">Drop to attach pictures, documents or text</p>}
    </>
  );
}
