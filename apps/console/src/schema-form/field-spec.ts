import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** The settings as the service describes them (`GET /api/settings/schema`). */
export type SettingsSchema = AnswerOf<Extract<OperatorDefinition, { readonly name: "settings.schema" }>>;

/** Fields that belong together, with their section's name. */
export type FieldGroup = SettingsSchema["groups"][number];

/** One field of a form: its type, its texts, its bounds, its value. */
export type FieldSpec = FieldGroup["fields"][number];

/** Unsaved changes by key: the content of the control. */
export type Draft = ReadonlyMap<string, string | boolean>;
