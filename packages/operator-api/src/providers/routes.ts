import * as v from "valibot";
import { revisionSchema, SAVES_PROTECTION, savedFields, sourceFields } from "../configuration/index.ts";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { type Decider, defineRoute, json, type ReplyInput, type ServedRoute, serve } from "../route/index.ts";

const tag = "Connections";
const types = ["compat-gateway", "oauth-subscription-a", "oauth-subscription-b", "scripted"] as const;

/** A connection to a model provider (O6). Its key is never part of an answer. */
export const providerSchema = v.object({
  id: v.string(),
  type: v.picklist(types),
  label: v.string(),
  base_url: v.string(),
  key_set: v.pipe(v.boolean(), v.description("It has a key; the key itself is never returned.")),
  models: v.pipe(v.record(v.string(), v.unknown()), v.description("Settings of single models, by name.")),
  lead: v.pipe(v.boolean(), v.description("The lead model is one of this connection's.")),
  sources: v.pipe(
    v.record(v.string(), v.object(sourceFields)),
    v.description("Where each field that is set comes from; one of layer `env` refuses a save."),
  ),
});

/** A connection on the wire. */
export type Provider = v.InferInput<typeof providerSchema>;

export const listProviders = defineRoute({
  name: "providers.list",
  method: "GET",
  path: "/api/providers",
  tag,
  summary: "The connections to models, in the order of the configuration",
  query: pageQuery(v.string(), { defaultLimit: 200 }),
  reply: json(v.object({ providers: v.array(providerSchema), revision: v.string(), ...pageFields })),
});

const id = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "Expected 1 to 64 lower-case letters, digits, hyphens or underscores."),
);
const credential = v.pipe(
  v.strictObject({
    access_token: v.optional(v.pipe(v.string(), v.maxLength(8192))),
    refresh_token: v.optional(v.pipe(v.string(), v.maxLength(8192))),
    expires_at: v.optional(v.pipe(v.string(), v.maxLength(64), v.description("ISO-8601."))),
    token_endpoint: v.optional(
      v.pipe(v.string(), v.maxLength(2000), v.description("Where the refresh token is exchanged for new ones.")),
    ),
    client_id: v.optional(v.pipe(v.string(), v.maxLength(8192))),
  }),
  v.description(
    "Of a subscription: replaces the stored one as a whole, goes to the secrets overlay, and is never returned. Blank fields count as absent.",
  ),
);
const fields = {
  type: v.optional(v.picklist(types)),
  label: v.optional(v.pipe(v.string(), v.maxLength(200))),
  base_url: v.optional(v.pipe(v.string(), v.maxLength(2000))),
  api_key: v.optional(
    v.pipe(
      v.nullable(v.pipe(v.string(), v.maxLength(8192))),
      v.description(
        "Goes to the secrets overlay. Blank keeps the stored one, which goes only to the stored address: with another base_url it is sent again. Null removes it. Of a subscription: its access token alone.",
      ),
    ),
  ),
  credential: v.optional(credential),
  models: v.optional(v.record(v.string(), v.unknown())),
  revision: v.optional(revisionSchema),
};
const saved = v.object({ ...savedFields, provider: providerSchema });
const failures = {
  400: "A value that is refused, or a field that an environment variable owns.",
  409: "There is one of this id, the configuration changed since `revision`, or it is managed.",
} as const;

export const addProvider = defineRoute({
  name: "providers.add",
  method: "POST",
  path: "/api/providers",
  tag,
  decides: SAVES_PROTECTION,
  summary: "Connects a model provider; it counts at once",
  body: v.strictObject({ ...fields, id, type: v.picklist(types) }),
  reply: json(saved, 201),
  failures,
  example: { body: { id: "local", type: "compat-gateway", base_url: "http://127.0.0.1:11434/v1" } },
});

const known = { params: { id: "Of the connection." }, failures: { ...failures, 404: "There is no such connection." } };

export const editProvider = defineRoute({
  name: "providers.edit",
  method: "PUT",
  path: "/api/providers/{id}",
  tag,
  decides: SAVES_PROTECTION,
  summary: "Changes the fields that are sent",
  body: v.strictObject(fields),
  reply: json(saved),
  ...known,
});

export const removeProvider = defineRoute({
  name: "providers.remove",
  method: "DELETE",
  path: "/api/providers/{id}",
  tag,
  decides: SAVES_PROTECTION,
  summary: "Removes a connection and its key",
  reply: json(v.object(savedFields)),
  ...known,
});

/** The connections, and the revision of the configuration they were read from. */
export interface ProvidersList {
  readonly providers: readonly Provider[];
  readonly revision: string;
}

/** Reads the connections. */
export interface ProvidersReader {
  /** All of them, in their order. */
  list(): ProvidersList | Promise<ProvidersList>;
}

/** Changes the connections. Refuses by throwing `Problem`; nothing changed then. */
export interface ProvidersWriter {
  /** `again`: it was asked for before, and may be there already. */
  add(
    provider: v.InferOutput<typeof addProvider.body>,
    again: boolean,
    decider: Decider,
  ): Promise<ReplyInput<typeof addProvider.reply>>;
  edit(
    id: string,
    change: v.InferOutput<typeof editProvider.body>,
    decider: Decider,
  ): Promise<ReplyInput<typeof editProvider.reply>>;
  remove(id: string, decider: Decider): Promise<ReplyInput<typeof removeProvider.reply>>;
}

/** The service of the connections. */
export type ProvidersService = ProvidersReader & ProvidersWriter;

export function providersRoutes(service: ProvidersService): readonly ServedRoute[] {
  return [
    serve(listProviders, async ({ query: { limit, cursor } }) => {
      const { providers, revision } = await service.list();
      const start = cursor === undefined ? 0 : providers.findIndex(({ id }) => id === cursor) + 1;
      const page = providers.slice(start, start + limit);
      const isLast = providers.length <= start + page.length;
      return { providers: page, revision, next_cursor: isLast ? null : cursorOf(page.at(-1)?.id) };
    }),
    serve(addProvider, (call) => service.add(call.body, call.requestKey?.begun === true, call)),
    serve(editProvider, (call) => service.edit(call.params.id, call.body, call)),
    serve(removeProvider, (call) => service.remove(call.params.id, call)),
  ];
}
