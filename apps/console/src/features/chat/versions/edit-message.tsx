import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/index.ts";

/** Changes a message that was sent: what comes of it stands beside the former answer. */
export function EditMessage({
  text: sent,
  hasActed,
  isSaving,
  onSave,
  onCancel,
}: {
  readonly text: string;
  /** Tools were called in the turn. */
  readonly hasActed: boolean;
  readonly isSaving: boolean;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}): ReactElement {
  const [text, setText] = useState(sent);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = box;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const isUnchanged = text.trim() === "" || text.trim() === sent.trim();
  const save = (): void => {
    if (!isUnchanged && !isSaving) onSave(text.trim());
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  };
  return (
    <form
      className="flex w-full flex-col gap-2 rounded-xl bg-accent-soft p-3"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={box}
        aria-label="Change the message"
        value={text}
        rows={Math.min(12, text.split("\n").length + 1)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={pressed}
        className="w-full resize-y rounded-md bg-raised px-3 py-2 text-lg outline-none focus-visible:outline-[1.5px] focus-visible:outline-(--accent-8)"
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-0 grow basis-full text-sm text-ink-soft @min-[30rem]:basis-0">
          The answer there is now stays, as a version.
          {hasActed && " What its tools did is not undone, and they may act again."}
        </p>
        <Button small kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button small kind="primary" type="submit" busy={isSaving} disabled={isUnchanged}>
          Ask this instead
        </Button>
      </div>
    </form>
  );
}
