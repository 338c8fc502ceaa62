import { type KeyboardEvent, type ReactElement, useEffect, useState } from "react";
import { answerInText, focusPrompt, promptTitle, type WaitingPrompt } from "../../../prompts/index.ts";
import { Button, classNames, InlineError } from "../../../ui/index.ts";
import type { OutgoingMessage, UnsentMessage } from "../live/outgoing-message.ts";
import { Attached } from "./attached.tsx";
import { CommandHints } from "./command-hints.tsx";
import { type Intent, intentOf } from "./intent.ts";
import { withQuote } from "./quote.ts";
import { SendButtons } from "./send-buttons.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useAttachments } from "./use-attachments.ts";
import { useDraft } from "./use-draft.ts";
import { useGrowingBox } from "./use-growing-box.ts";
import { useSendWhenRead } from "./use-send-when-read.ts";

/** What the composer is rendered from. */
export interface ComposerProps {
  readonly session: string;
  /** Key of the draft. */
  readonly draftKey: string;
  /** A message that could not be sent, put before the draft. */
  readonly initial: UnsentMessage | undefined;
  /** The agent is working in the session: a text steers it. */
  readonly running: boolean;
  /** What waits for a person in the session. */
  readonly prompts: readonly WaitingPrompt[];
  readonly agentName: string;
  /** No message was sent yet. */
  readonly fresh: boolean;
  /** The conversation began incognito: all of it is. */
  readonly isIncognito: boolean;
  readonly onSend: (message: OutgoingMessage) => void;
  readonly onSteer: (text: string) => void;
  /** `answer` is what the prompt takes; `text` what was written, for when it is refused. */
  readonly onAnswer: (prompt: WaitingPrompt, answer: unknown, text: string) => void;
  /** Stops the turn that runs or waits; undefined where there is none. */
  readonly onStop: (() => void) | undefined;
  /** What is to be quoted; once it is in the box, `onQuoted` is called. */
  readonly quoted: string | undefined;
  readonly onQuoted: () => void;
}

/**
 * The message box: it answers a waiting prompt, else steers the running turn, else sends, and shows which.
 * Enter sends, Shift+Enter starts a line. The draft survives a reload.
 */
export function Composer(props: ComposerProps): ReactElement {
  const { session, draftKey, initial, running, prompts, agentName, fresh, isIncognito } = props;
  const { onSend, onSteer, onAnswer, onStop, quoted, onQuoted } = props;
  const { draft, setDraft, files, setFiles, sent } = useDraft(draftKey, initial);
  const [problem, setProblem] = useState<unknown>();
  const [unanswered, setUnanswered] = useState<string>();
  const keepsNothing = isIncognito || draft.incognito;
  const { add, reading, isOver, onPaste } = useAttachments({ session, keepsNothing }, files, setFiles, setProblem);
  const box = useGrowingBox(draft.text);
  useEffect(() => {
    if (quoted === undefined) return;
    setDraft((before) => withQuote(before, quoted));
    onQuoted();
    box.current?.focus();
  }, [quoted, onQuoted, setDraft, box]);
  const text = draft.text.trim();
  const empty = text === "" && files.length === 0 && reading.length === 0;
  const situation = { prompts, running, declinesToAnswer: prompts.some(({ id }) => id === unanswered) };
  const intent = intentOf(situation, { text, files });

  const answer = (prompt: WaitingPrompt): void => {
    const read = answerInText(prompt, text);
    // A form of several fields is filled in where it stands; the text stays here.
    if (read === undefined) focusPrompt(prompt.id);
    else if ("problem" in read) setProblem(new Error(read.problem));
    else {
      sent(session);
      onAnswer(prompt, read.answer, text);
    }
  };
  const sendNow = (): void => {
    if (empty) return;
    setProblem(undefined);
    if (intent.kind === "answer") {
      answer(intent.prompt);
      return;
    }
    sent(session);
    if (intent.kind === "steer") onSteer(text);
    else onSend({ ...draft, session, text, files, incognito: keepsNothing });
  };
  const { isHeld, send } = useSendWhenRead(reading.length > 0, problem !== undefined, sendNow);
  return (
    <form
      className="mx-auto flex w-full max-w-[49.5rem] flex-col gap-1.5 px-4 pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <CommandHints text={draft.text} onPick={(name) => setDraft({ ...draft, text: `/${name} ` })} />
      {intent.kind === "answer" && <Answering {...intent} onDecline={() => setUnanswered(intent.prompt.id)} />}
      {fresh && draft.incognito && INCOGNITO_NOTE}
      {problem !== undefined && <InlineError error={problem} />}
      <div
        className={classNames(
          "flex flex-col rounded-xl bg-raised shadow-raised focus-within:outline-[1.5px] focus-within:outline-(--accent-8)",
          isOver && "outline-2 outline-(--accent-8) outline-dashed",
        )}
      >
        <Attached files={files} reading={reading} isHeld={isHeld} isOver={isOver} onChange={setFiles} />
        <textarea
          ref={box}
          id="composer"
          aria-label="Message"
          placeholder={placeholderOf(intent, agentName)}
          rows={1}
          value={draft.text}
          onChange={(event) => setDraft({ ...draft, text: event.target.value })}
          onKeyDown={enterOf(send)}
          onPaste={onPaste}
          className="field-sizing-content max-h-[40dvh] resize-none bg-transparent px-4 pt-3 pb-1 text-lg text-ink outline-none placeholder:text-ink-soft"
        />
        <Toolbar conversation={draftKey} draft={draft} onChange={setDraft} onFiles={add} isIncognito={isIncognito}>
          <SendButtons intent={intent.kind} empty={empty} onStop={onStop} />
        </Toolbar>
      </div>
    </form>
  );
}

/** Shown before the first message of a conversation that is to begin incognito. */
const INCOGNITO_NOTE = (
  <p className="px-1 text-sm text-ink-soft">
    Incognito: nothing of this conversation is kept once you close it, but for usage numbers and audit lines.
  </p>
);

/** Names what an answer goes to, where the composer answers. */
function Answering({
  prompt,
  others,
  onDecline,
}: Extract<Intent, { readonly kind: "answer" }> & { readonly onDecline: () => void }): ReactElement {
  return (
    <p className="flex items-center gap-2 px-1 text-sm text-waiting">
      <span className="min-w-0 truncate">
        {answerInText(prompt, "") === undefined ? "Fill in the form: " : "You answer: "}
        <span className="font-medium">{promptTitle(prompt)}</span>
      </span>
      {others > 0 && <span className="shrink-0 text-ink-soft">{others} more after it</span>}
      <Button kind="quiet" small className="ml-auto" onClick={onDecline}>
        Send a message instead
      </Button>
    </p>
  );
}

function enterOf(send: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
}

function placeholderOf(intent: Intent, agentName: string): string {
  switch (intent.kind) {
    case "answer":
      return `Answer ${agentName}…`;
    case "steer":
      return `Add to what ${agentName} is doing…`;
    case "send":
      return `Message ${agentName}`;
  }
}
