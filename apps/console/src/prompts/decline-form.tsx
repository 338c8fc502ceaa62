import { type ReactElement, useState } from "react";
import { Button, TextArea } from "../ui/index.ts";

/** Declines a form, in the row of its buttons: one that makes room for a note first, which may stay empty. */
export function DeclineForm({
  busy,
  onDecline,
}: {
  readonly busy: boolean;
  readonly onDecline: (note: string) => void;
}): ReactElement {
  const [note, setNote] = useState<string | undefined>();
  if (note === undefined) {
    return <Button onClick={() => setNote("")}>Decline…</Button>;
  }
  return (
    <div className="flex basis-full flex-col gap-3 border-t border-line pt-3">
      <TextArea
        label="Why not? (may stay empty)"
        rows={2}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={busy} onClick={() => onDecline(note.trim())}>
          Decline
        </Button>
        <Button onClick={() => setNote(undefined)}>Keep the form</Button>
      </div>
    </div>
  );
}
