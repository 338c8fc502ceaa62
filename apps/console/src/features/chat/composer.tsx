import { SendHorizontal } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/index.ts";
import { useChat } from "./chat-context.tsx";
import type { Outgoing } from "./live-turns.ts";

const MOST_ROWS_PX = 260;

/** Where a person writes: enter sends, shift and enter makes a line. What was begun survives a reload. */
export function Composer({
  session,
  draftKey,
  initial,
  onSend,
}: {
  readonly session: string;
  /** Under which what was begun is kept. */
  readonly draftKey: string;
  /** What to begin with; blank: the draft. */
  readonly initial: string;
  readonly onSend: (message: Outgoing) => void;
}): ReactElement {
  const { drafts } = useChat();
  const [draft, setDraft] = useState(() => {
    const kept = drafts.read(draftKey);
    return initial === "" ? kept : { ...kept, text: initial };
  });
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => drafts.write(draftKey, draft), [drafts, draftKey, draft]);
  useEffect(() => {
    const area = box.current;
    if (area === null) return;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, MOST_ROWS_PX)}px`;
  }, [draft.text]);
  useEffect(() => {
    // On a phone the keyboard would cover the conversation that was opened.
    if (window.matchMedia("(min-width: 45rem)").matches) box.current?.focus({ preventScroll: true });
  }, []);
  const send = (): void => {
    const text = draft.text.trim();
    if (text === "") return;
    const { model, incognito } = draft;
    const sent = { ...draft, text: "" };
    setDraft(sent);
    // The first message leaves this page: the effect that keeps drafts may not come to it.
    drafts.write(draftKey, sent);
    onSend({ session, text, files: [], model, incognito });
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="mx-auto flex w-full max-w-3xl items-end gap-2 px-4 pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={box}
        id="composer"
        aria-label="Message"
        placeholder="Message"
        rows={1}
        value={draft.text}
        onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        onKeyDown={pressed}
        className="min-h-10 flex-1 resize-none rounded-md border border-line-strong bg-raised px-3 py-2 text-ink placeholder:text-ink-soft"
      />
      <Button
        kind="primary"
        type="submit"
        icon
        aria-label="Send"
        disabled={draft.text.trim() === ""}
        className="size-10"
      >
        <SendHorizontal aria-hidden className="size-5" />
      </Button>
    </form>
  );
}
