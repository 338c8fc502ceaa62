import type { ReactElement } from "react";
import { TextField } from "../ui/index.ts";
import type { ConnectionDraft, Renewal, TokenProblems } from "./connection-draft.ts";

/** The tokens of a subscription. They are never shown again: new ones replace all of them. */
export function SubscriptionFields({
  draft,
  onChange,
  keySet = false,
  problems,
}: {
  readonly draft: ConnectionDraft;
  readonly onChange: (draft: ConnectionDraft) => void;
  /** Tokens are stored. They are never shown. */
  readonly keySet?: boolean;
  readonly problems: TokenProblems;
}): ReactElement {
  const { apiKey, renewal } = draft;
  const renew = (change: Partial<Renewal>): void => onChange({ ...draft, renewal: { ...renewal, ...change } });
  const secret = { type: "password", autoComplete: "new-password", placeholder: keySet ? "Set" : "None" } as const;
  return (
    <>
      <TextField
        label="Access token"
        {...secret}
        placeholder={keySet ? "Set. Type to replace it and all fields that renew it" : "None"}
        hint="The OAuth token of your subscription. Goes to the secrets file and is never shown again."
        error={problems.apiKey}
        value={apiKey}
        onChange={(event) => onChange({ ...draft, apiKey: event.target.value })}
      />
      <details
        className="rounded-md border border-line px-3 py-2"
        open={problems.tokenEndpoint !== undefined || problems.expiresAt !== undefined || undefined}
      >
        <summary className="cursor-pointer text-sm font-medium">Renewal before it expires</summary>
        <div className="flex flex-col gap-4 pt-3 pb-1">
          <TextField
            label="Refresh token"
            {...secret}
            value={renewal.refreshToken}
            onChange={(event) => renew({ refreshToken: event.target.value })}
          />
          <TextField
            label="Token endpoint"
            type="url"
            inputMode="url"
            autoComplete="off"
            hint="Where the refresh token is exchanged for new ones."
            error={problems.tokenEndpoint}
            value={renewal.tokenEndpoint}
            onChange={(event) => renew({ tokenEndpoint: event.target.value })}
          />
          <TextField
            label="Client id"
            autoComplete="off"
            spellCheck={false}
            value={renewal.clientId}
            onChange={(event) => renew({ clientId: event.target.value })}
          />
          <TextField
            label="Expires at"
            autoComplete="off"
            placeholder="2026-12-31T18:00:00Z"
            hint="Of the access token. Blank: it is renewed when the provider refuses it."
            error={problems.expiresAt}
            value={renewal.expiresAt}
            onChange={(event) => renew({ expiresAt: event.target.value })}
          />
        </div>
      </details>
    </>
  );
}
