import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

/** So many pixels of a screenshot, each way, are one of a small picture. */
const SMALLER = 4;
/** So many of a small picture are one point that is compared: 16 of the screenshot, about the height of a line of text. */
const POINT = 4;
/** How far two points may be apart, of 1 (pixelmatch's perceived difference). */
const THRESHOLD = 0.08;
/**
 * The most of a picture that may differ, 0 to 1. Between DejaVu Sans and Liberation Sans it was at most 0.015, and in runs on one
 * machine 0.001; without the rail it was 0.018 to 0.07, without style sheets more than 0.24.
 */
const TOLERANCE = 0.025;
/** Of pages of long texts, whose lines break elsewhere in another face: 0.074. */
const TOLERANCE_OF_TEXTS = 0.1;
const OF_TEXTS = /^settings-/;

/** The most of a picture of this name that may differ. */
export function toleranceOf(name: string): number {
  return OF_TEXTS.test(name) ? TOLERANCE_OF_TEXTS : TOLERANCE;
}

/** Makes a screenshot small enough to be checked in: a quarter of its width and height. */
export function smallPicture(screenshot: Buffer): PNG {
  return reduced(PNG.sync.read(screenshot), SMALLER);
}

/**
 * The share of two small pictures that differs, 0 to 1, and where. It is looked at with eyes half closed, so to speak: the text of another
 * face makes lines a little longer or darker, which stays below the threshold; what is missing or elsewhere does not.
 */
export function differenceOf(before: PNG, after: PNG): { readonly share: number; readonly picture: PNG } {
  if (before.width !== after.width || before.height !== after.height) return { share: 1, picture: after };
  const [a, b] = [reduced(before, POINT), reduced(after, POINT)];
  const picture = new PNG({ width: a.width, height: a.height });
  const count = pixelmatch(a.data, b.data, picture.data, a.width, a.height, { threshold: THRESHOLD, includeAA: true });
  return { share: count / (a.width * a.height), picture };
}

/** Each pixel the mean of `by` × `by`; what is left over at the right and below is dropped. */
function reduced(from: PNG, by: number): PNG {
  const to = new PNG({ width: Math.floor(from.width / by), height: Math.floor(from.height / by) });
  for (let at = 0; at < to.data.length; at++) {
    const [channel, pixel] = [at % 4, at >> 2];
    const [left, top] = [(pixel % to.width) * by, Math.floor(pixel / to.width) * by];
    let sum = 0;
    for (let y = top; y < top + by; y++)
      for (let x = left; x < left + by; x++) sum += from.data[(y * from.width + x) * 4 + channel] ?? 0;
    to.data[at] = Math.round(sum / (by * by));
  }
  return to;
}
