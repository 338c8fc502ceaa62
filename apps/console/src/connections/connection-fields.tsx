import type { ReactElement } from "react";
import { TextField } from "../ui/index.ts";
import type { ConnectionDraft } from "./connection-draft.ts";

/** The address and the key of a model server. */
export function ConnectionFields({
  draft,
  onChange,
  keySet = false,
  addressError,
  keyError,
}: {
  readonly draft: ConnectionDraft;
  readonly onChange: (draft: ConnectionDraft) => void;
  /** A key is stored. It is never shown. */
  readonly keySet?: boolean;
  readonly addressError?: string | undefined;
  readonly keyError?: string | undefined;
}): ReactElement {
  return (
    <>
      <TextField
        label="Address"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://api.example.com/v1"
        hint="Any server with the OpenAI chat API: a provider, a gateway, or one on your machine."
        error={addressError}
        value={draft.baseUrl}
        onChange={(event) => onChange({ ...draft, baseUrl: event.target.value })}
      />
      <TextField
        label="Key"
        type="password"
        autoComplete="new-password"
        error={keyError}
        placeholder={keySet ? "Set. Type to replace it" : "None"}
        hint="Goes to the secrets file, is sent to this address alone, and is never shown again."
        value={draft.apiKey}
        onChange={(event) => onChange({ ...draft, apiKey: event.target.value })}
      />
    </>
  );
}
