import { Ghost, Paperclip, ShieldOff } from "lucide-react";
import { type ReactElement, type ReactNode, useRef } from "react";
import { EffortChip, ModelChip } from "../../../model-menu/index.ts";
import { Button } from "../../../ui/index.ts";
import type { Draft } from "./drafts.ts";
import { useBypass } from "./use-bypass.ts";

/** The quiet row below the text: what goes with the message on the left, what sends it (`children`) on the right. */
export function Toolbar({
  conversation,
  draft,
  onChange,
  onFiles,
  isIncognito,
  children,
}: {
  /** Under which the conversation's draft is kept. */
  readonly conversation: string;
  readonly draft: Draft;
  /** The conversation began incognito: all of it is. */
  readonly isIncognito: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="flex items-center gap-1 p-2">
      <AttachButton onFiles={onFiles} />
      <Button
        kind="quiet"
        small
        aria-pressed={isIncognito || draft.incognito}
        disabled={isIncognito}
        className={isIncognito || draft.incognito ? "bg-accent-soft text-accent" : undefined}
        title={
          isIncognito
            ? "This conversation began incognito: all of it is"
            : "Nothing of this message and its answer is kept. A conversation that begins incognito stays so"
        }
        onClick={() => onChange({ ...draft, incognito: !draft.incognito })}
      >
        <Ghost aria-hidden className="size-4" /> <span className="max-list:sr-only">Incognito</span>
      </Button>
      <BypassButton conversation={conversation} />
      <ModelChip value={draft.model} onChange={(model) => onChange({ ...draft, model, effort: "" })} />
      <EffortChip model={draft.model} value={draft.effort} onChange={(effort) => onChange({ ...draft, effort })} />
      <div className="ml-auto flex items-center gap-1.5">{children}</div>
    </div>
  );
}

/** Switches approvals off and on for the conversation, in this browser tab; absent where the settings do not allow it. */
function BypassButton({ conversation }: { readonly conversation: string }): ReactElement | null {
  const { isAllowed, isOn, set } = useBypass(conversation);
  if (!isAllowed) return null;
  return (
    <Button
      kind="quiet"
      small
      aria-pressed={isOn}
      data-not-in-palette
      className={isOn ? "bg-accent-soft text-accent" : undefined}
      title="Commands and tools of MCP servers run without asking you, in this chat and this browser tab"
      onClick={() => set(!isOn)}
    >
      <ShieldOff aria-hidden className="size-4" /> <span className="sr-only">Bypass approvals</span>
    </Button>
  );
}

function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button kind="quiet" small onClick={() => input.current?.click()}>
        <Paperclip aria-hidden className="size-4" /> <span className="max-list:sr-only">Attach</span>
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
