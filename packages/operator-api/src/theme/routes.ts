import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import { defineRoute, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Theme";
const theme = v.pipe(v.record(v.string(), v.unknown()), v.description("The console's own; nothing looks into it."));
const ok = json(v.object({ ok: v.literal(true) }));

export const readTheme = defineRoute({
  name: "theme.read",
  method: "GET",
  path: "/api/theme",
  tag,
  summary: "The console's theme",
  reply: json(v.object({ theme: v.pipe(v.nullable(theme), v.description("Null: none was set.")) })),
});

export const saveTheme = defineRoute({
  name: "theme.save",
  method: "PUT",
  path: "/api/theme",
  tag,
  summary: "Sets the console's theme, for every browser",
  description: "Send `{theme: {…}}`, or the theme itself; 64 KB at most.",
  body: v.record(v.string(), v.unknown()),
  reply: ok,
  failures: { 400: "The theme is no JSON object.", 413: "The theme is above 64 KB." },
});

export const clearTheme = defineRoute({
  name: "theme.clear",
  method: "DELETE",
  path: "/api/theme",
  tag,
  summary: "Resets the console's theme to the default",
  reply: ok,
});

const MAX_THEME = 64 * 1024;

/** A theme: the console's own JSON. */
export type Theme = { readonly [name: string]: unknown };

/** Implemented by the service. */
export interface ThemeService {
  /** Null: there is none. */
  read(): Promise<Theme | null>;
  save(theme: Theme): Promise<void>;
  clear(): Promise<void>;
}

export function themeRoutes(service: ThemeService): readonly ServedRoute[] {
  return [
    serve(readTheme, async () => ({ theme: await service.read() })),
    serve(saveTheme, async ({ body }) => {
      const sent = Object.hasOwn(body, "theme") ? body.theme : body;
      if (typeof sent !== "object" || sent === null || Array.isArray(sent)) {
        throw new Problem(400, "A theme is a JSON object.");
      }
      if (Buffer.byteLength(JSON.stringify(sent)) > MAX_THEME) throw new Problem(413, "A theme has at most 64 KB.");
      await service.save(sent as Theme);
      return { ok: true as const };
    }),
    serve(clearTheme, async () => {
      await service.clear();
      return { ok: true as const };
    }),
  ];
}
