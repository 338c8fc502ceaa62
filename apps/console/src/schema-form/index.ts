export { counts } from "./depends-on.ts";
export type { Draft, FieldGroup, FieldSpec, SettingsSchema } from "./field-spec.ts";
export { boundsOf, type Entered, enteredValue, shownValue } from "./field-value.ts";
export { SchemaField, type SchemaFieldProps } from "./schema-field.tsx";
