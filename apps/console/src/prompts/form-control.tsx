import { type ReactElement, useId } from "react";
import { CheckField, SelectField, TextArea, TextField } from "../ui/index.ts";
import type { FormField, Option } from "./form-fields.ts";
import type { Entry } from "./form-values.ts";

export interface FormControlProps {
  readonly field: FormField;
  readonly entry: Entry;
  readonly problem: string | undefined;
  readonly onChange: (entry: Entry) => void;
}

/** The control of one field of a form. */
export function FormControl({ field, entry, problem, onChange }: FormControlProps): ReactElement {
  const { control, label, hint, required } = field;
  const texts = {
    label: required ? label : `${label} (optional)`,
    error: problem,
    "aria-required": required,
    ...(hint !== undefined && { hint }),
  };
  const value = typeof entry === "string" ? entry : "";
  switch (control.kind) {
    case "switch":
      return <Tick label={label} hint={hint} on={entry === true} onChange={onChange} />;
    case "choices":
      return (
        <Several
          field={field}
          options={control.options}
          chosen={Array.isArray(entry) ? (entry as readonly number[]) : []}
          problem={problem}
          onChange={onChange}
        />
      );
    case "choice":
      return (
        <SelectField {...texts} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{required ? "Choose one" : "None"}</option>
          {control.options.map((option, at) => (
            <option key={String(at)} value={String(at)}>
              {option.label}
            </option>
          ))}
        </SelectField>
      );
    case "list":
      return (
        <TextArea
          {...texts}
          hint={[hint, "One on each line."].filter(Boolean).join(" ")}
          rows={3}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case "json":
      return (
        <TextArea
          {...texts}
          hint={[hint, "As JSON."].filter(Boolean).join(" ")}
          rows={3}
          className="font-mono text-sm"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case "number":
      return (
        <TextField
          {...texts}
          inputMode={control.whole ? "numeric" : "decimal"}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    default:
      return control.long ? (
        <TextArea {...texts} rows={4} value={value} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <TextField {...texts} type={control.input} value={value} onChange={({ target }) => onChange(target.value)} />
      );
  }
}

function Tick({
  label,
  hint,
  on,
  onChange,
}: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}): ReactElement {
  const id = useId();
  return (
    <div>
      <CheckField
        label={label}
        className="min-h-7 gap-2 text-sm font-medium"
        aria-describedby={hint === undefined ? undefined : id}
        checked={on}
        onChange={({ target }) => onChange(target.checked)}
      />
      {hint !== undefined && (
        <p id={id} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

function Several({
  field: { label, hint, required },
  options,
  chosen,
  problem,
  onChange,
}: {
  readonly field: FormField;
  readonly options: readonly Option[];
  readonly chosen: readonly number[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: readonly number[]) => void;
}): ReactElement {
  return (
    <fieldset className="flex flex-col gap-0.5">
      <legend className="text-sm font-medium">{required ? label : `${label} (optional)`}</legend>
      {hint !== undefined && <p className="text-sm text-ink-soft">{hint}</p>}
      {options.map((option, at) => (
        <Tick
          key={String(at)}
          label={option.label}
          hint={undefined}
          on={chosen.includes(at)}
          onChange={(on) =>
            onChange(on ? [...chosen, at].toSorted((a, b) => a - b) : chosen.filter((one) => one !== at))
          }
        />
      ))}
      {problem !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
