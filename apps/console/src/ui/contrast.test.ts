import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast, tokensIn } from "./contrast.ts";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const tokens = tokensIn(css);
const SURFACES = ["ground", "raised", "sunken", "hover"] as const;
const SOFT = ["accent-soft", "waiting-soft", "good-soft", "bad-soft"] as const;
const TEXTS = ["ink", "ink-soft", "accent", "accent-strong", "waiting", "good", "bad"] as const;

test("every text colour is read on every surface, in both themes: 4.5 to 1 and more", () => {
  const low = [...SURFACES, ...SOFT].flatMap((surface) =>
    TEXTS.flatMap((text) => pairsBelow(4.5, text, surface).map((pair) => `${text} on ${surface}, ${pair}`)),
  );
  expect(low).toEqual([]);
});

test("the text of a solid button is read in both themes, hovered too", () => {
  expect(pairsBelow(4.5, "on-accent", "accent")).toEqual([]);
  expect(pairsBelow(4.5, "on-accent", "accent-strong")).toEqual([]);
  expect(pairsBelow(4.5, "ground", "waiting")).toEqual([]);
});

test("the border of a control is visible on every surface it is on: 3 to 1 and more", () => {
  expect(["ground", "raised", "sunken"].flatMap((surface) => pairsBelow(3, "line-strong", surface))).toEqual([]);
});

test("in the dark a raised surface is lighter than the page, and a sunken one darker", () => {
  const dark = (name: string): number => tokens.get(`color-${name}`)?.[1][0] ?? Number.NaN;
  expect(dark("raised")).toBeGreaterThan(dark("ground"));
  expect(dark("sunken")).toBeLessThan(dark("ground"));
});

test("each of the five scales has eleven steps", () => {
  for (const scale of ["neutral", "accent", "amber", "green", "red"]) {
    expect([...tokens.keys()].filter((name) => new RegExp(`^${scale}-\\d+$`).test(name))).toHaveLength(11);
  }
});

function pairsBelow(least: number, text: string, surface: string): string[] {
  const above = tokens.get(`color-${text}`);
  const below = tokens.get(`color-${surface}`);
  if (above === undefined || below === undefined) throw new Error(`no token ${text} or ${surface}`);
  return (["light", "dark"] as const).flatMap((theme, index) => {
    const ratio = contrast(above[index]!, below[index]!);
    return ratio < least ? [`${theme}: ${ratio.toFixed(2)}`] : [];
  });
}
