import * as v from "valibot";
import { revisionSchema, SAVES_PROTECTION, savedFields } from "../configuration/index.ts";
import { type Decider, defineRoute, json, type ReplyInput, type ServedRoute, serve } from "../route/index.ts";

const tag = "Settings";
const scalar = v.union([v.string(), v.number(), v.boolean()]);
const keySchema = v.pipe(v.string(), v.regex(/^[\w-]+(?:\.[\w-]+)+$/, "Expected a dotted key."), v.maxLength(200));

/** One field of the settings form (B41). */
export const fieldSchema = v.object({
  key: v.string(),
  label: v.string(),
  type: v.picklist(["string", "text", "number", "bool", "select", "string_list", "secret", "path", "json"]),
  path_kind: v.optional(v.picklist(["dir", "file"])),
  section: v.string(),
  description: v.string(),
  restart: v.pipe(v.boolean(), v.description("It counts from the next start on.")),
  options: v.optional(v.array(v.string())),
  options_source: v.optional(v.string()),
  default: v.unknown(),
  value: v.pipe(v.unknown(), v.description("Blank for a secret.")),
  is_set: v.optional(v.pipe(v.boolean(), v.description("Of a secret: there is one."))),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
  depends_on: v.optional(v.object({ key: v.string(), equals: v.optional(scalar), in: v.optional(v.array(scalar)) })),
  scope: v.picklist(["agent", "host"]),
  source: v.picklist(["agent", "host", "default", "env", "secrets", "flag"]),
  read_only: v.pipe(v.boolean(), v.description("Owned by the environment, or not to be set over this API.")),
});

const groupSchema = v.object({
  section: v.string(),
  title: v.pipe(v.string(), v.description("The section's name for people.")),
  description: v.pipe(v.string(), v.description("What the section is about, one or two sentences.")),
  category: v.pipe(v.string(), v.description("The name of the category it is listed under.")),
  fields: v.array(fieldSchema),
  test: v.optional(v.object({ endpoint: v.string() })),
  plugin_id: v.optional(v.string()),
  guide_url: v.optional(v.string()),
});

const categorySchema = v.object({
  name: v.string(),
  title: v.pipe(v.string(), v.description("Its heading for people.")),
  description: v.pipe(v.string(), v.description("What its settings are about, one sentence.")),
});

export const readSettingsSchema = defineRoute({
  name: "settings.schema",
  method: "GET",
  path: "/api/settings/schema",
  tag,
  summary: "The settings as forms: groups of fields with values, defaults and bounds",
  reply: json(
    v.object({
      categories: v.pipe(
        v.array(categorySchema),
        v.description("The headings in their order, those without a group too."),
      ),
      groups: v.array(groupSchema),
      revision: v.string(),
    }),
  ),
});

const failures = {
  400: "A value that is refused, a key that is unknown or hidden, or one that an environment variable owns.",
  409: "The configuration changed since `revision`, or it is managed: its folder cannot be written.",
} as const;

export const applySettings = defineRoute({
  name: "settings.apply",
  method: "POST",
  path: "/api/settings",
  tag,
  decides: SAVES_PROTECTION,
  summary: "Saves settings by dotted key; all of them or none",
  description: "A blank secret keeps the stored one.",
  body: v.strictObject({
    updates: v.pipe(v.record(keySchema, v.unknown()), v.maxEntries(500), v.description("Values by dotted key.")),
    layer: v.optional(v.picklist(["agent", "host"]), "agent"),
    revision: v.optional(revisionSchema),
  }),
  reply: json(v.object(savedFields)),
  failures,
  example: { body: { updates: { "model.temperature": 0.4 } } },
});

export const resetSettings = defineRoute({
  name: "settings.reset",
  method: "POST",
  path: "/api/settings/reset",
  tag,
  decides: SAVES_PROTECTION,
  summary: "Removes settings, so that what stands below them counts again",
  description: "The model's name, provider and address go together.",
  body: v.strictObject({
    keys: v.pipe(v.array(keySchema), v.minLength(1), v.maxLength(500)),
    layer: v.optional(v.picklist(["agent", "host"]), "agent"),
    revision: v.optional(revisionSchema),
  }),
  reply: json(v.object(savedFields)),
  failures,
});

/** Reads the settings. */
export interface SettingsReader {
  schema(): ReplyInput<typeof readSettingsSchema.reply> | Promise<ReplyInput<typeof readSettingsSchema.reply>>;
}

/** Changes settings. Refuses by throwing `Problem`; nothing changed then. */
export interface SettingsWriter {
  apply(
    change: v.InferOutput<typeof applySettings.body>,
    decider: Decider,
  ): Promise<ReplyInput<typeof applySettings.reply>>;
  reset(
    change: v.InferOutput<typeof resetSettings.body>,
    decider: Decider,
  ): Promise<ReplyInput<typeof resetSettings.reply>>;
}

/** The service of the settings. */
export type SettingsService = SettingsReader & SettingsWriter;

export function settingsRoutes(settings: SettingsService): readonly ServedRoute[] {
  return [
    serve(readSettingsSchema, () => settings.schema()),
    serve(applySettings, (call) => settings.apply(call.body, call)),
    serve(resetSettings, (call) => settings.reset(call.body, call)),
  ];
}
