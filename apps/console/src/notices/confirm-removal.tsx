import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button, InlineError } from "../ui/index.ts";
import { useNotices } from "./notices.tsx";

export interface ConfirmRemovalProps {
  readonly removal: UseMutationResult<unknown, Error, void>;
  /** What goes, and what stays. */
  readonly text: string;
  /** Of the button. */
  readonly action: string;
  /** The notice afterwards. */
  readonly done: string;
  readonly onClose: () => void;
  readonly onRemoved?: () => void;
}

/** The inside of a dialog that asks before something is removed. */
export function ConfirmRemoval(props: ConfirmRemovalProps): ReactElement {
  const { removal, text, action, done, onClose, onRemoved } = props;
  const notify = useNotices();
  const removed = (): void => {
    notify({ text: done, tone: "plain" });
    onClose();
    onRemoved?.();
  };
  // What is removed may take this dialog along before the mutation has ended, and with it callbacks of the mutation. What fails
  // is shown by the mutation itself.
  const remove = (): void => void removal.mutateAsync().then(removed, () => {});
  return (
    <div className="flex flex-col gap-4">
      <p>{text}</p>
      {removal.error !== null && <InlineError error={removal.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={removal.isPending} onClick={remove}>
          {action}
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </div>
  );
}
