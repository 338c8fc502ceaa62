import { type ReactElement, type ReactNode, useId } from "react";
import { boxClass, classNames, Switch } from "../ui/index.ts";
import { Description } from "./description.tsx";
import type { FieldSpec } from "./field-spec.ts";
import { boundsOf, shownValue } from "./field-value.ts";

export interface SchemaFieldProps {
  readonly spec: FieldSpec;
  /** Unsaved content of the control; undefined: the saved value. */
  readonly entered: string | boolean | undefined;
  readonly onEnter: (entered: string | boolean) => void;
  /** Why the entered value is invalid. */
  readonly error?: string | undefined;
  /** Beside the label: the source of the value, and what a change causes. */
  readonly marks?: ReactNode;
  /** Below the control: further actions. */
  readonly children?: ReactNode;
}

/** A field of a schema: its texts at one side, the control of its type at the other. */
export function SchemaField({ spec, entered, onEnter, error, marks, children }: SchemaFieldProps): ReactElement {
  const id = useId();
  const bounds = boundsOf(spec);
  const control: ControlProps = {
    spec,
    value: entered ?? shownValue(spec),
    onEnter,
    attributes: {
      id,
      disabled: spec.read_only,
      "aria-describedby": error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`,
      "aria-invalid": error === undefined ? undefined : true,
    },
  };
  return (
    <div className="grid gap-x-8 gap-y-2 py-3.5 inspector:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <label htmlFor={id} className="font-medium">
            {spec.label}
          </label>
          {marks}
        </div>
        <p id={`${id}-hint`} className="mt-0.5 text-sm text-ink-soft">
          <Description text={spec.description} />
          {bounds !== undefined && ` (${bounds})`}
          {spec.type === "string_list" && " One on each line."}
        </p>
        <code className="text-xs text-ink-soft">{spec.key}</code>
      </div>
      <div className="flex min-w-0 flex-col items-start gap-1.5">
        <Control {...control} />
        {error !== undefined && (
          <p id={`${id}-error`} role="alert" className="text-sm text-bad">
            {error}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

interface ControlProps {
  readonly spec: FieldSpec;
  readonly value: string | boolean;
  readonly onEnter: (entered: string | boolean) => void;
  readonly attributes: {
    readonly id: string;
    readonly disabled: boolean;
    readonly "aria-describedby": string;
    readonly "aria-invalid": true | undefined;
  };
}

const LONG = { text: 5, json: 6, string_list: 3 } as const;
const MOST_ROWS = 14;

function Control({ spec, value, onEnter, attributes }: ControlProps): ReactElement {
  const { type } = spec;
  if (typeof value === "boolean") {
    return <Switch {...attributes} checked={value} onChange={(event) => onEnter(event.target.checked)} />;
  }
  if (type === "select") {
    return <Select {...{ spec, value, onEnter, attributes }} />;
  }
  if (type === "text" || type === "json" || type === "string_list") {
    const rows = Math.min(MOST_ROWS, Math.max(LONG[type], value.split("\n").length));
    return (
      <textarea
        {...attributes}
        rows={rows}
        value={value}
        spellCheck={type === "text"}
        className={classNames(boxClass, type !== "text" && "font-mono text-sm")}
        onChange={(event) => onEnter(event.target.value)}
      />
    );
  }
  const secret = type === "secret";
  return (
    <input
      {...attributes}
      type={secret ? "password" : "text"}
      inputMode={type === "number" ? "decimal" : undefined}
      autoComplete={secret ? "new-password" : "off"}
      spellCheck={false}
      placeholder={secret ? (spec.is_set === true ? "Set. Type to replace it" : "Not set") : placeholderOf(spec)}
      value={value}
      className={classNames(boxClass, "min-h-9", type === "path" && "font-mono text-sm")}
      onChange={(event) => onEnter(event.target.value)}
    />
  );
}

function placeholderOf({ default: fallback }: FieldSpec): string | undefined {
  return fallback === null || fallback === "" ? "Not set" : undefined;
}

function Select({ spec, value, onEnter, attributes }: ControlProps & { readonly value: string }): ReactElement {
  const options = spec.options ?? [];
  return (
    <select
      {...attributes}
      value={value}
      className={classNames(boxClass, "min-h-9")}
      onChange={(event) => onEnter(event.target.value)}
    >
      {!options.includes(value) && <option value={value}>{value === "" ? "Not set" : value}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {option === "" ? "Not set" : option}
        </option>
      ))}
    </select>
  );
}
