import { readdirSync } from "node:fs";
import { afterAll, beforeAll, test } from "vitest";
import { builtConsole } from "./built-console.ts";
import { type ConsoleRig, startConsoleRig } from "./console-rig.ts";
import type { Journey } from "./journey.ts";

const folder = new URL("../journeys/", import.meta.url);

/** A file of `journeys/`. */
export interface JourneysFile {
  readonly name: string;
  readonly journeys: readonly Journey[];
}

/** Every file of `journeys/`, by name. */
export function journeysFiles(): Promise<readonly JourneysFile[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return Promise.all(
    names.sort().map(async (name) => {
      const { journeys } = (await import(new URL(name, folder).href)) as Pick<JourneysFile, "journeys">;
      return { name, journeys };
    }),
  );
}

/** Divides files into so many shares of about as many journeys each. A file stays whole. */
export function shareFiles(files: readonly JourneysFile[], shares: number): readonly (readonly JourneysFile[])[] {
  const shared = Array.from({ length: shares }, (): JourneysFile[] => []);
  const sizeOf = (share: readonly JourneysFile[]): number =>
    share.reduce((sum, { journeys }) => sum + journeys.length, 0);
  for (const file of files.toSorted((a, b) => b.journeys.length - a.journeys.length)) {
    shared.reduce((least, share) => (sizeOf(share) < sizeOf(least) ? share : least)).push(file);
  }
  return shared;
}

/**
 * Declares the tests of one share, the first being 1, with a browser and a service of their own. Every second share is of people
 * who want less motion.
 */
export async function runShare(number: number, shares: number): Promise<void> {
  const files = shareFiles(await journeysFiles(), shares)[number - 1] ?? [];
  let rig: ConsoleRig;
  beforeAll(async () => {
    rig = await startConsoleRig((await builtConsole()).folder, number % 2 === 0 ? { reducedMotion: "reduce" } : {});
  });
  afterAll(() => rig?.[Symbol.asyncDispose]());
  test.each(files.flatMap(({ journeys }) => journeys))("$title", (journey) => rig.run(journey));
}
