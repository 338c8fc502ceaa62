/** One of the shapes a figure is made of, in its quarter of the square: turned by quarter turns, in a step of the accent. */
export interface FigureTile {
  readonly shape: "quarter" | "disc" | "arch" | "leaf" | "block";
  /** Quarter turns, clockwise. */
  readonly turn: 0 | 1 | 2 | 3;
  readonly tone: FigureTone;
}

/** Steps of the accent's scale, by what they are called in the tokens. */
export type FigureTone = 4 | 6 | 8 | 9 | 11;

const SHAPES: readonly FigureTile["shape"][] = ["quarter", "disc", "arch", "leaf", "block"];
const TONES: readonly FigureTone[] = [4, 6, 8, 9, 11];

/**
 * The figure of a name: four tiles, left to right and top to bottom; the same for the same name everywhere. Case and
 * white space around it do not count.
 */
export function figureTiles(name: string): readonly FigureTile[] {
  let state = hashOf(name.trim().toLowerCase().normalize("NFC"));
  const next = (below: number): number => {
    // A linear congruential step; its high bits are the good ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const first = next(TONES.length);
  return [0, 1, 2, 3].map((index) => ({
    shape: SHAPES[next(SHAPES.length)] ?? "quarter",
    turn: next(4) as FigureTile["turn"],
    // Neighbours never have the same tone, so that every shape is seen.
    tone: TONES[(first + index * (1 + (index % 2))) % TONES.length] ?? 9,
  }));
}

/** The first letter or digit of a name, in capitals; undefined where it has none. */
export function initialOf(name: string): string | undefined {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase();
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
