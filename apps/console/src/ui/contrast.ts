/** Contrast of the tokens: `contrast.test.ts` holds every pair in use to the ratios of WCAG 2.2. */

/** Lightness, chroma and hue of OKLCH. */
export type Colour = readonly [number, number, number];

/** Reads the tokens that are colours, by name without the dashes; a token that names another has its value. */
export function tokensIn(source: string): ReadonlyMap<string, readonly [Colour, Colour]> {
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
export function contrast(one: Colour, other: Colour): number {
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
