import { embeddingOf } from "@agent-service/agent-core/testing";

/** Numbers of a vector, as common models have them; a power of two. */
export const DIMENSIONS = 1_024;

/**
 * The vector that the suite's double makes of a text, turned: its cosines stay what they were, but all its numbers say
 * something, as a model's do. Most of the double's own are zero.
 */
export function denseEmbeddingOf(text: string): number[] {
  const vector = embeddingOf(text, DIMENSIONS).map((number, at) => (isFlipped(at) ? -number : number));
  // Walsh and Hadamard's transform, without a matrix.
  for (let width = 1; width < DIMENSIONS; width *= 2)
    for (let from = 0; from < DIMENSIONS; from += 2 * width)
      for (let at = from; at < from + width; at++) {
        const [a, b] = [vector[at] ?? 0, vector[at + width] ?? 0];
        vector[at] = a + b;
        vector[at + width] = a - b;
      }
  return vector;
}

/** Half of the places, without a pattern. */
function isFlipped(at: number): boolean {
  const mixed = Math.imul(at + 1, 2_654_435_761);
  return ((mixed ^ (mixed >>> 15)) & 0x40) !== 0;
}
