import * as v from "valibot";
import { pageFields } from "../paging/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Configuration";
const failures = {
  404: "There is no such version.",
  503: "The store of versions cannot be opened.",
} as const;
const version = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999));

const versionSchema = v.object({
  version: v.number(),
  at: v.pipe(v.string(), v.description("ISO 8601.")),
  author: v.pipe(
    v.picklist(["operator", "agent", "hand"]),
    v.description("`hand`: written in the settings or an editor."),
  ),
  reason: v.string(),
  session_id: v.pipe(v.nullable(v.string()), v.description("The conversation it was changed in.")),
  chars: v.number(),
  text: v.pipe(v.optional(v.string()), v.description("Of the version that `version` asks for.")),
});

export const listSoulVersions = defineRoute({
  name: "config.soul.versions",
  method: "GET",
  path: "/api/config/soul/versions",
  tag,
  summary: "The newest 50 versions of the persona, the newest first",
  query: v.object({
    version: v.optional(
      v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,8}$/), v.description("That version alone, with its text.")),
    ),
  }),
  reply: json(v.object({ versions: v.array(versionSchema), ...pageFields })),
  failures,
});

export const restoreSoul = defineRoute({
  name: "config.soul.restore",
  method: "POST",
  path: "/api/config/soul/restore",
  tag,
  decides: true,
  summary: "Makes an earlier version of the persona the newest one, with effect at once",
  body: v.object({ version }),
  reply: json(v.object({ ok: v.literal(true), version: v.pipe(v.number(), v.description("Of the new one.")) })),
  failures: { ...failures, 409: "The configuration folder cannot be written: its owner manages it elsewhere." },
});

/** A version of the persona. */
export type SoulVersionRow = v.InferOutput<typeof versionSchema>;

/** Implemented by the service. Refuses by throwing `Problem`. */
export interface SoulService {
  /** `version`: that one alone, with its text. */
  versions(version: number | undefined): Promise<readonly Frozen<SoulVersionRow>[]>;
  restore(version: number, call: string | undefined): Promise<number>;
}

export function soulRoutes(soul: SoulService): readonly ServedRoute[] {
  return [
    serve(listSoulVersions, async ({ query: { version } }) => ({
      versions: await soul.versions(version === undefined ? undefined : Number(version)),
      next_cursor: null,
    })),
    serve(restoreSoul, async ({ body: { version }, requestKey }) => ({
      ok: true as const,
      version: await soul.restore(version, requestKey?.key),
    })),
  ];
}
