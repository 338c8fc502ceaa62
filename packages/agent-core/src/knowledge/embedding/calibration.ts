/** What a model makes of texts that have nothing to do with each other (K25). */
import { dot, meanOf } from "./vector-code.ts";

/** Sentences about different things, in the forms that memories have: 32 of them are 496 pairs. */
export const UNRELATED_TEXTS: readonly string[] = [
  "The invoice of March was paid twice by mistake.",
  "Penguins keep their eggs warm on their feet.",
  "Restart the print server before changing its driver.",
  "She prefers tea without milk in the afternoon.",
  "The concert hall was finished in 1963 by a Finnish architect.",
  "Deployments are frozen on Fridays after noon.",
  "Use four spaces, never tabs, in Python files.",
  "The river flooded the old mill last spring.",
  "Our office in Lisbon moves to the third floor.",
  "Basil grows best in warm and sunny places.",
  "The warranty of the dishwasher ends in October.",
  "He scored the winning goal in extra time.",
  "Backups are encrypted and kept for ninety days.",
  "Whales sing songs that travel for miles under water.",
  "The train to Zurich leaves from platform seven.",
  "Passwords must have at least fourteen characters.",
  "A violin has four strings tuned in fifths.",
  "The customer asked for a refund of the subscription.",
  "Volcanic soil is rich in minerals.",
  "Write the minutes of the meeting in English.",
  "The database port is closed to the outside.",
  "Grandmother's recipe needs six eggs and dark chocolate.",
  "Interest rates were raised by a quarter point.",
  "The patient is allergic to penicillin.",
  "Glaciers in the Alps lose mass every summer.",
  "Call the landlord about the broken heater.",
  "The satellite circles the planet every ninety minutes.",
  "Version two of the interface removes the old endpoint.",
  "The museum is closed on Mondays.",
  "He learned to ride a bicycle at the age of five.",
  "The contract with the supplier runs until June.",
  "Rust never forgives a dangling reference.",
];

/** Questions that have a word of one of these texts and nothing to do with it. */
const NEAR_MISSES: readonly (readonly [text: number, question: string])[] = [
  [0, "What is a common mistake of beginners at the piano?"],
  [1, "How many feet are there in a mile?"],
  [2, "Who is the fastest driver of all time?"],
  [3, "Which animals give milk to their young?"],
  [4, "How do I become an architect?"],
  [5, "How long may frozen peas be kept?"],
  [6, "Is a python a venomous snake?"],
  [7, "How does a steel spring store energy?"],
  [8, "How do I polish a wooden floor?"],
  [14, "How do I train a puppy?"],
  [15, "Who are the main characters of Hamlet?"],
  [17, "Is the customer always right?"],
  [20, "Which port has the most container ships?"],
  [21, "Why is it dark at night?"],
  [22, "How do I show interest in a conversation?"],
  [30, "Which muscles contract in a run?"],
];

/** What a model is shown to be measured: the unrelated texts, then the questions. */
export const CALIBRATION_TEXTS: readonly string[] = [
  ...UNRELATED_TEXTS,
  ...NEAR_MISSES.map(([, question]) => question),
];

/** Standard deviations above what unrelated texts have. */
const DEVIATIONS = 2.5;
/** The same above what near misses have. */
const NEAR_DEVIATIONS = 0.5;
/** However alike a model takes everything for. */
const HIGHEST_FLOOR = 0.95;

export interface Calibration {
  readonly mean: Float32Array;
  /** The cosine above which two texts are related. */
  readonly floor: number;
}

/** Of the vectors of `CALIBRATION_TEXTS`. */
export function calibrate(all: readonly Float32Array[]): Calibration {
  const units = all.slice(0, UNRELATED_TEXTS.length);
  const unrelated = units.flatMap((one, at) => units.slice(at + 1).map((other) => dot(one, other)));
  const nearMisses = NEAR_MISSES.flatMap(([text], at) => {
    const [one, other] = [all[text], all[UNRELATED_TEXTS.length + at]];
    return one === undefined || other === undefined ? [] : [dot(one, other)];
  });
  const floor = Math.max(above(unrelated, DEVIATIONS), above(nearMisses, NEAR_DEVIATIONS));
  return { mean: meanOf(units), floor: Math.min(floor, HIGHEST_FLOOR) };
}

/** So many standard deviations above the mean of some cosines. */
function above(cosines: readonly number[], deviations: number): number {
  if (cosines.length === 0) return -1;
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const variance = cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / cosines.length;
  return mean + deviations * Math.sqrt(variance);
}
