import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as screens from "./screens.ts";

const all = Object.values(screens);

test("every feature that defines a screen is listed", () => {
  const features = new URL("./features/", import.meta.url);
  const defining = readdirSync(features).filter((name) =>
    readFileSync(new URL(`${name}/index.ts`, features), "utf8").includes(": Screen = {"),
  );
  expect(all.map(({ id }) => id).toSorted()).toEqual(defining.toSorted());
});

test("no two screens share an id, a position or a key", () => {
  for (const name of ["id", "order", "key"] as const) {
    expect(new Set(all.map((screen) => screen[name])).size, name).toBe(all.length);
  }
});
