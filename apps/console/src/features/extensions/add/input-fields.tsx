import type { ReactElement } from "react";
import { TextField } from "../../../ui/index.ts";

/** A value that a server asks for. */
export interface AskedInput {
  readonly key: string;
  readonly label: string;
  readonly secret: boolean;
  readonly required: boolean;
  readonly placeholder?: string;
}

/** Values by the keys of what asks for them. */
export type Values = { readonly [key: string]: string };

/** A field for each value; secrets are not shown while they are typed. */
export function InputFields({
  inputs,
  values,
  onChange,
}: {
  readonly inputs: readonly AskedInput[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}): ReactElement {
  return (
    <>
      {inputs.map(({ key, label, secret, required, placeholder }) => (
        <TextField
          key={key}
          label={required ? label : `${label} (optional)`}
          type={secret ? "password" : "text"}
          autoComplete="off"
          spellCheck={false}
          aria-required={required}
          value={values[key] ?? ""}
          onChange={({ target }) => onChange({ ...values, [key]: target.value })}
          {...(placeholder !== undefined && { placeholder })}
        />
      ))}
    </>
  );
}

/** What is sent of the values: secrets apart, and nothing blank. */
export function splitValues(
  inputs: readonly AskedInput[],
  values: Values,
): { readonly inputs: Values; readonly secrets: Values } {
  const some = (wanted: boolean): Values =>
    Object.fromEntries(
      inputs
        .filter(({ key, secret }) => secret === wanted && (values[key] ?? "").trim() !== "")
        .map(({ key }) => [key, values[key] ?? ""]),
    );
  return { inputs: some(false), secrets: some(true) };
}

/** Whether every value that is needed is there. */
export function isComplete(inputs: readonly AskedInput[], values: Values): boolean {
  return inputs.every(({ key, required }) => !required || (values[key] ?? "").trim() !== "");
}
