import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Lightness, chroma and hue of OKLCH. */
type Colour = readonly [number, number, number];

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

test("the border of a control is seen on every surface it stands on: 3 to 1 and more", () => {
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

/** Reads the tokens that are colours, by name without the dashes; a token that names another has its value. */
function tokensIn(source: string): ReadonlyMap<string, readonly [Colour, Colour]> {
  const found = new Map<string, readonly [Colour, Colour]>();
  const colour = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`;
  const both = new RegExp(String.raw`--([\w-]+): light-dark\(${colour}, ${colour}\)`, "g");
  for (const [, name = "", ...parts] of source.matchAll(both)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = parts.map(Number);
    found.set(name, [
      [a, b, c],
      [d, e, f],
    ]);
  }
  for (const [, name = "", other = ""] of source.matchAll(/--(color-[\w-]+): var\(--([\w-]+)\)/g)) {
    const value = found.get(other);
    if (value !== undefined) found.set(name, value);
  }
  return found;
}

/** The ratio of WCAG 2.2 between two colours. */
function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance, by the matrices of OKLab's definition; what sRGB cannot show is clipped. */
function luminance([lightness, chroma, hue]: Colour): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number): number => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
