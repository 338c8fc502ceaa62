import { Ghost, Paperclip, SendHorizontal, X } from "lucide-react";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from "react";
import { Button, InlineError } from "../../../ui/index.ts";
import type { OutgoingFile, OutgoingMessage, UnsentMessage } from "../live/outgoing-message.ts";
import { readFiles } from "./attachments.ts";
import { CommandHints } from "./command-hints.tsx";
import type { Draft } from "./drafts.ts";
import { ModelSelect } from "./model-select.tsx";
import { useDraft } from "./use-draft.ts";

const TALLEST_PX = 260;

/** What the composer is rendered from. */
export interface ComposerProps {
  readonly session: string;
  /** Key of the draft. */
  readonly draftKey: string;
  /** A message that could not be sent, put before the draft. */
  readonly initial: UnsentMessage | undefined;
  /** A turn of the session is running: messages steer it. */
  readonly busy: boolean;
  /** That turn waits for a person. */
  readonly waits: boolean;
  readonly agentName: string;
  readonly onSend: (message: OutgoingMessage) => void;
  readonly onSteer: (text: string) => void;
}

/** The message box: Enter sends, Shift+Enter starts a line. The draft survives a reload. */
export function Composer(props: ComposerProps): ReactElement {
  const { session, draftKey, initial, busy, waits, agentName, onSend, onSteer } = props;
  const { draft, setDraft, files, setFiles, sent } = useDraft(draftKey, initial);
  const [problem, setProblem] = useState<unknown>();
  const box = useGrowingBox(draft.text);
  const text = draft.text.trim();
  const empty = text === "" && files.length === 0;
  // Commands are executed at once and files can only start a turn: neither can steer.
  const steers = busy && files.length === 0 && !text.startsWith("/");

  const send = (): void => {
    if (empty) return;
    sent(session);
    if (steers) onSteer(text);
    else onSend({ session, text, files, model: draft.model, incognito: draft.incognito });
  };
  const add = (chosen: readonly File[]): void => {
    setProblem(undefined);
    readFiles(chosen, files).then((read) => setFiles((before) => [...before, ...read]), setProblem);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const pasted = (event: ClipboardEvent): void => {
    const images = [...event.clipboardData.files];
    if (images.length === 0) return;
    event.preventDefault();
    add(images);
  };
  return (
    <form
      className="mx-auto flex w-full max-w-3xl flex-col gap-1.5 px-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      {...dropOf(add)}
    >
      <CommandHints text={draft.text} onPick={(name) => setDraft({ ...draft, text: `/${name} ` })} />
      <FileChips files={files} onRemove={(removed) => setFiles(files.filter((_, index) => index !== removed))} />
      {problem !== undefined && <InlineError error={problem} />}
      <div className="flex items-end gap-2">
        <textarea
          ref={box}
          id="composer"
          aria-label="Message"
          placeholder={busy ? (waits ? `Answer ${agentName}…` : `Add to what ${agentName} is doing…`) : "Message"}
          rows={1}
          value={draft.text}
          onChange={(event) => setDraft({ ...draft, text: event.target.value })}
          onKeyDown={pressed}
          onPaste={pasted}
          className="min-h-10 flex-1 resize-none rounded-md border border-line-strong bg-raised px-3 py-2 text-ink placeholder:text-ink-soft"
        />
        <Button
          kind="primary"
          type="submit"
          icon
          aria-label={steers ? "Add to the work" : "Send"}
          disabled={empty}
          className="size-10"
        >
          <SendHorizontal aria-hidden className="size-5" />
        </Button>
      </div>
      <Toolbar draft={draft} onChange={setDraft} onFiles={add} />
    </form>
  );
}

function dropOf(add: (files: readonly File[]) => void) {
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      add([...event.dataTransfer.files]);
    },
  };
}

function useGrowingBox(text: string) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = box.current;
    if (area === null) return;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, TALLEST_PX)}px`;
  }, [text]);
  useEffect(() => {
    // On a phone the keyboard would cover the conversation that was opened.
    if (window.matchMedia("(min-width: 45rem)").matches) box.current?.focus({ preventScroll: true });
  }, []);
  return box;
}

function Toolbar({
  draft,
  onChange,
  onFiles,
}: {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly onFiles: (files: readonly File[]) => void;
}): ReactElement {
  return (
    <div className="flex flex-wrap items-center gap-1">
      <AttachButton onFiles={onFiles} />
      <Button
        kind="quiet"
        small
        aria-pressed={draft.incognito}
        className={draft.incognito ? "bg-accent-soft text-accent" : undefined}
        title="Nothing of this turn goes into the agent's memory, and jobs it starts do not come back here"
        onClick={() => onChange({ ...draft, incognito: !draft.incognito })}
      >
        <Ghost aria-hidden className="size-4" /> Incognito
      </Button>
      <ModelSelect value={draft.model} onChange={(model) => onChange({ ...draft, model })} />
    </div>
  );
}

function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button kind="quiet" small onClick={() => input.current?.click()}>
        <Paperclip aria-hidden className="size-4" /> Attach
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}

function FileChips({
  files,
  onRemove,
}: {
  readonly files: readonly OutgoingFile[];
  readonly onRemove: (index: number) => void;
}): ReactElement | null {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-1.5">
      {files.map(({ name, mediaType, raw }, index) => (
        <li
          key={`${name}-${index}`}
          className="flex max-w-60 items-center gap-1.5 rounded-md border border-line bg-raised py-0.5 pr-0.5 pl-2 text-sm"
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
