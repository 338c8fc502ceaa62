import * as v from "valibot";
import { pageFields, pageQuery } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";
import { type Decider, defineRoute, json, type ReplyInput, type ServedRoute, serve } from "../route/index.ts";
import { explainedPage } from "./explained-page.ts";
import { configTreeSchema, revisionSchema, savedFields, soulSchema, sourceFields } from "./schema.ts";

const tag = "Configuration";
/** When a save decides for the operator. */
export const SAVES_PROTECTION = "it saves a setting of a security section or a secret";
const saveFailures = {
  400: "A value that its section refuses, a key that may not be set here, or a field that an environment variable owns.",
  409: "The configuration changed since `revision`, or it is managed: its folder cannot be written.",
} as const;

export const readConfig = defineRoute({
  name: "config.read",
  method: "GET",
  path: "/api/config",
  tag,
  summary: "The live configuration and the persona; secret fields come as empty strings",
  reply: json(
    v.object({
      config: configTreeSchema,
      soul: soulSchema,
      revision: v.string(),
      managed: v.pipe(v.boolean(), v.description("The folder cannot be written, so saves are refused (409).")),
      env_owned: v.pipe(
        v.record(v.string(), v.string()),
        v.description("Dotted keys that an environment variable sets, with its name; a save of one is refused."),
      ),
      restart_required: v.array(v.string()),
      rejected: v.pipe(
        v.nullable(v.object({ reason: v.string(), at: v.string() })),
        v.description("The last edit of the files, if it was refused; what ran runs on."),
      ),
    }),
  ),
});

export const saveConfig = defineRoute({
  name: "config.save",
  method: "POST",
  path: "/api/config",
  tag,
  decides: SAVES_PROTECTION,
  summary: "Merges changes into the configuration and the persona",
  description: "Mappings merge, lists are replaced. A blank secret keeps the stored one.",
  body: v.strictObject({
    config: v.optional(configTreeSchema),
    soul: v.optional(soulSchema),
    revision: v.optional(revisionSchema),
  }),
  reply: json(v.object(savedFields)),
  failures: saveFailures,
  example: { body: { config: { model: { temperature: 0.4 } } } },
});

const explainedSchema = v.object({
  key: v.string(),
  value: v.pipe(v.unknown(), v.description("A secret reads as empty, whether set or not.")),
  secret: v.boolean(),
  is_set: v.pipe(v.boolean(), v.description("A layer sets it; false: the default.")),
  ...sourceFields,
});

export const explainConfig = defineRoute({
  name: "config.explain",
  method: "GET",
  path: "/api/config/explain",
  tag,
  summary: "Every value with where it comes from, by key",
  query: v.object({
    ...pageQuery(v.string(), { defaultLimit: 500, maxLimit: 1000 }).entries,
    key: v.optional(
      v.pipe(v.string(), v.maxLength(200), v.description("A dotted key, or the start of one: `model`, `model.name`.")),
    ),
  }),
  reply: json(v.object({ values: v.array(explainedSchema), ...pageFields })),
  failures: { 404: "There is no such key in the configuration." },
});

export const readSetupStatus = defineRoute({
  name: "setup.status",
  method: "GET",
  path: "/api/config/setup-status",
  tag,
  summary: "Whether the agent is set up, and the persona templates",
  reply: json(v.object({ setup_complete: v.boolean(), managed: v.boolean(), presets: v.array(v.string()) })),
});

export const readPreset = defineRoute({
  name: "config.preset",
  method: "GET",
  path: "/api/config/presets/{name}",
  tag,
  summary: "The text of a persona template",
  params: { name: "One of `presets` in the setup status." },
  reply: json(v.object({ name: v.string(), content: v.string() })),
  failures: { 404: "There is no such template." },
});

const setupDone = json(v.object({ ok: v.literal(true), message: v.string() }));

export const completeSetup = defineRoute({
  name: "setup.complete",
  method: "POST",
  path: "/api/config/setup",
  tag,
  decides: SAVES_PROTECTION,
  summary: "Saves the first configuration and starts to work by it, without a restart",
  description: "The model is asked first; when it does not answer nothing is saved and setup stays open.",
  body: v.strictObject({ config: v.optional(configTreeSchema, {}), soul: v.optional(soulSchema) }),
  bodyOptional: true,
  reply: setupDone,
  failures: saveFailures,
});

export const resetSetup = defineRoute({
  name: "setup.reset",
  method: "POST",
  path: "/api/config/reset-setup",
  tag,
  summary: "Opens setup again; what is configured stays",
  reply: setupDone,
  failures: { 409: "The configuration is managed: setup is complete by definition." },
});

/** One value of `GET /api/config/explain`. */
export type ExplainedValue = v.InferInput<typeof explainedSchema>;

/** Reads the configuration. */
export interface ConfigurationReader {
  read(): ReplyInput<typeof readConfig.reply> | Promise<ReplyInput<typeof readConfig.reply>>;
  /** All keys in the order of the sections, each once. */
  explain(): readonly ExplainedValue[] | Promise<readonly ExplainedValue[]>;
  setupStatus(): ReplyInput<typeof readSetupStatus.reply> | Promise<ReplyInput<typeof readSetupStatus.reply>>;
  /** The text of a persona that ships; undefined where there is none of this name. */
  preset(name: string): string | undefined | Promise<string | undefined>;
}

/** Changes the configuration. Refuses by throwing `Problem`; nothing changed then. */
export interface ConfigurationWriter {
  save(change: v.InferOutput<typeof saveConfig.body>, decider: Decider): Promise<ReplyInput<typeof saveConfig.reply>>;
  completeSetup(
    setup: v.InferOutput<typeof completeSetup.body>,
    decider: Decider,
  ): Promise<ReplyInput<typeof setupDone>>;
  resetSetup(): Promise<ReplyInput<typeof setupDone>>;
}

/** The service of the configuration. */
export type ConfigurationService = Omit<ConfigurationReader & ConfigurationWriter, keyof SetupService>;

/** The service of the setup, which is a part of the configuration's. */
export type SetupService = Pick<ConfigurationReader, "setupStatus"> &
  Pick<ConfigurationWriter, "completeSetup" | "resetSetup">;

export function configurationRoutes(configuration: ConfigurationService): readonly ServedRoute[] {
  return [
    serve(readConfig, () => configuration.read()),
    serve(saveConfig, (call) => configuration.save(call.body, call)),
    serve(explainConfig, async ({ query }) => explainedPage(await configuration.explain(), query)),
    serve(readPreset, async ({ params: { name } }) => {
      const content = await configuration.preset(name);
      if (content === undefined) throw new Problem(404, "There is no such template.");
      return { name, content };
    }),
  ];
}

export function setupRoutes(setup: SetupService): readonly ServedRoute[] {
  return [
    serve(readSetupStatus, () => setup.setupStatus()),
    serve(completeSetup, (call) => setup.completeSetup(call.body, call)),
    serve(resetSetup, () => setup.resetSetup()),
  ];
}
