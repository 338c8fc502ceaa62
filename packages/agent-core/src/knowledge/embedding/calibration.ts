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

/** Standard deviations above what unrelated texts have. */
const DEVIATIONS = 2.5;
/** However alike a model takes everything for. */
const HIGHEST_FLOOR = 0.95;

export interface Calibration {
  readonly mean: Float32Array;
  /** The cosine above which two texts are related. */
  readonly floor: number;
}

/** Of the vectors of unrelated texts. */
export function calibrate(units: readonly Float32Array[]): Calibration {
  const cosines = units.flatMap((one, at) => units.slice(at + 1).map((other) => dot(one, other)));
  const average = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const variance = cosines.reduce((sum, cosine) => sum + (cosine - average) ** 2, 0) / cosines.length;
  return { mean: meanOf(units), floor: Math.min(average + DEVIATIONS * Math.sqrt(variance), HIGHEST_FLOOR) };
}
