import type { ReactElement } from "react";
import { SelectField, TextArea, TextField } from "../../../ui/index.ts";
import { CHECKS, type CheckDraft, type CheckKind } from "./check.ts";

/** What is asked before each run. */
export function CheckFields({
  check,
  onChange,
}: {
  readonly check: CheckDraft;
  readonly onChange: (check: CheckDraft) => void;
}): ReactElement {
  return (
    <>
      <SelectField
        label="Ask before each run"
        value={check.kind}
        onChange={({ target }) => onChange({ ...check, kind: target.value as CheckKind })}
      >
        {CHECKS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {check.kind === "page" && (
        <div className="grid gap-4 list:grid-cols-2">
          <TextField
            label="Address of the page"
            type="url"
            required
            maxLength={2_048}
            value={check.url}
            onChange={({ target }) => onChange({ ...check, url: target.value })}
          />
          <TextField
            label="Text it holds"
            hint="Without it there is nothing to do: no model is called."
            required
            maxLength={8_192}
            value={check.contains}
            onChange={({ target }) => onChange({ ...check, contains: target.value })}
          />
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
