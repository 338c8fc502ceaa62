import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type Theme, themeRoutes } from "./routes.ts";

it("keeps a theme, wrapped or bare, until it is cleared", async () => {
  let kept: Theme | null = null;
  const ask = askRoutes(
    themeRoutes({
      read: async () => kept,
      async save(theme) {
        kept = theme;
      },
      async clear() {
        kept = null;
      },
    }),
  );
  const read = async () => (await ask("GET", "/api/theme")).body;
  expect(await read()).toEqual({ theme: null });
  for (const body of [{ theme: { accent: "red" } }, { accent: "red" }]) {
    expect((await ask("PUT", "/api/theme", body)).body).toEqual({ ok: true });
    expect(await read()).toEqual({ theme: { accent: "red" } });
  }
  for (const theme of ["red", null, []]) expect((await ask("PUT", "/api/theme", { theme })).status).toBe(400);
  expect((await ask("PUT", "/api/theme", { css: "x".repeat(65_536) })).status).toBe(413);
  expect(await read()).toEqual({ theme: { accent: "red" } });
  expect((await ask("DELETE", "/api/theme")).body).toEqual({ ok: true });
  expect(await read()).toEqual({ theme: null });
});
