import type { FocusEvent, ReactElement, ReactNode } from "react";
import { TextField } from "../ui/index.ts";
import type { ConnectionDraft } from "./connection-draft.ts";

/** The address and the key of a model server. */
export function ConnectionFields({
  draft,
  onChange,
  onLeave,
  keySet = false,
  isKnown = false,
  addressError,
  keyError,
  keyHint,
}: {
  readonly draft: ConnectionDraft;
  readonly onChange: (draft: ConnectionDraft) => void;
  /** A field was left: what is entered can be tested. */
  readonly onLeave?: () => void;
  /** A key is stored. It is never shown. */
  readonly keySet?: boolean;
  /** The address is a provider's own: it is out of the way until it is wrong. */
  readonly isKnown?: boolean;
  readonly addressError?: string | undefined;
  readonly keyError?: string | undefined;
  /** Where a key comes from. */
  readonly keyHint?: ReactNode;
}): ReactElement {
  // What a test shows moves what is below, and a button must not move under the pointer that presses it.
  const left = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof HTMLButtonElement)) onLeave?.();
  };
  const address = (
    <TextField
      label="Address"
      type="url"
      inputMode="url"
      autoComplete="off"
      placeholder="https://api.example.com/v1"
      hint={isKnown ? undefined : "Any server with the OpenAI chat API: a provider, a gateway, or one on your machine."}
      error={addressError}
      value={draft.baseUrl}
      onChange={(event) => onChange({ ...draft, baseUrl: event.target.value })}
      onBlur={left}
    />
  );
  const key = (
    <TextField
      label="Key"
      type="password"
      autoComplete="new-password"
      error={keyError}
      placeholder={keySet ? "Set. Type to replace it" : isKnown ? "Paste it here" : "None"}
      hint={<>{keyHint} Goes to the secrets file, is sent to this address alone, and is never shown again.</>}
      value={draft.apiKey}
      onChange={(event) => onChange({ ...draft, apiKey: event.target.value })}
      onBlur={left}
    />
  );
  if (!isKnown) {
    return (
      <>
        {address}
        {key}
      </>
    );
  }
  return (
    <>
      {key}
      <details className="rounded-md border border-line px-3 py-2" open={addressError !== undefined || undefined}>
        <summary className="cursor-pointer text-sm wrap-anywhere text-ink-soft">
          Address: {draft.baseUrl || "none"}
        </summary>
        <div className="pt-2">{address}</div>
      </details>
    </>
  );
}
