import { type ReactElement, useState } from "react";
import { Button, CheckField, Dialog } from "../../../ui/index.ts";

/** Asks before a conversation goes back to a turn. */
export function GoBackDialog({
  open,
  onOpenChange,
  isBusy,
  onGoBack,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly isBusy: boolean;
  readonly onGoBack: (withFiles: boolean) => void;
}): ReactElement {
  const [withFiles, setWithFiles] = useState(false);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Go back to here?">
      <p className="mb-3">
        Later messages are removed from the conversation, for you and for the agent. What its tools did is not undone,
        but for files if you say so.
      </p>
      <CheckField
        checked={withFiles}
        onChange={({ target }) => setWithFiles(target.checked)}
        className="mb-3 gap-2"
        label="Undo what those turns changed in files; what was changed since stays as it is"
      />
      <div className="flex gap-2">
        <Button kind="danger" busy={isBusy} onClick={() => onGoBack(withFiles)}>
          Go back
        </Button>
        <Button onClick={() => onOpenChange(false)}>Stay</Button>
      </div>
    </Dialog>
  );
}
