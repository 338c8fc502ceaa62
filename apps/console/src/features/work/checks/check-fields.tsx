import type { ReactElement } from "react";
import { SelectField, TextArea, TextField } from "../../../ui/index.ts";
import { type CheckDraft, type CheckKind, optionsOf } from "./check.ts";

/** What a check asks. `label` is that of the choice, `missing` says what follows where a page does not hold the text. */
export function CheckFields({
  label,
  kinds,
  missing,
  check,
  onChange,
}: {
  readonly label: string;
  readonly kinds: readonly CheckKind[];
  readonly missing?: string;
  readonly check: CheckDraft;
  readonly onChange: (check: CheckDraft) => void;
}): ReactElement {
  return (
    <>
      <SelectField
        label={label}
        value={check.kind}
        onChange={({ target }) => onChange({ ...check, kind: target.value as CheckKind })}
      >
        {optionsOf(kinds).map((kind) => (
          <option key={kind.value} value={kind.value}>
            {kind.label}
          </option>
        ))}
      </SelectField>
      {(check.kind === "page" || check.kind === "change") && (
        <div className="grid gap-4 list:grid-cols-2">
          <TextField
            label="Address of the page"
            type="url"
            required
            maxLength={2_048}
            value={check.url}
            onChange={({ target }) => onChange({ ...check, url: target.value })}
          />
          {check.kind === "page" && (
            <TextField
              label="Text it holds"
              hint={missing}
              required
              maxLength={8_192}
              value={check.contains}
              onChange={({ target }) => onChange({ ...check, contains: target.value })}
            />
          )}
        </div>
      )}
      {check.kind === "json" && (
        <TextArea
          label="Check"
          hint="An object with check and check_args, or with verifier."
          rows={4}
          required
          value={check.json}
          onChange={({ target }) => onChange({ ...check, json: target.value })}
        />
      )}
    </>
  );
}
