import type { FenceCase, Wanted } from "./cases.ts";
import { CANARY, INSIDE, type World } from "./world.ts";

/** A way to a file: a tool or a route. It gives the text that its caller reads. */
export interface Way {
  readonly name: string;
  readonly wanted: Wanted;
  /** @throws an error with the code of a refusal; `code` undefined: refused without one */
  go(one: Pick<FenceCase, "project" | "path">): Promise<string>;
}

export interface CaseReport {
  readonly tried: number;
  readonly refused: number;
  readonly reached: number;
  readonly violations: readonly string[];
}

/** Longer than anything takes on the slowest machine: only what hangs is this late. */
const HANG_MS = 60_000;

/** Calls that change something between two looks at all that must not change. */
const LOOK_EVERY = 50;

type Outcome = { readonly text: string } | { readonly code: string; readonly message: string } | "hangs";

async function outcomeOf(way: Way, one: FenceCase): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<"hangs">((resolve) => {
    timer = setTimeout(() => resolve("hangs"), HANG_MS);
  });
  const went = way.go(one).then(
    (text): Outcome => ({ text }),
    (error: Error & { code?: string }): Outcome => ({ code: error.code ?? "none", message: error.message }),
  );
  try {
    return await Promise.race([went, hang]);
  } finally {
    clearTimeout(timer);
  }
}

function problemOf(one: FenceCase, outcome: Outcome, world: World): string | undefined {
  if (outcome === "hangs") return "it hangs";
  const shown = "text" in outcome ? outcome.text : outcome.message;
  if (shown.includes(CANARY)) return "it shows what it must not";
  if (one.refused === undefined) {
    if (!("text" in outcome)) return `should be reached, but: ${outcome.code} ${outcome.message}`;
    return one.wanted?.includes("read") === true && !shown.includes(INSIDE)
      ? "it shows nothing of the file"
      : undefined;
  }
  if ("text" in outcome) return `should be refused, but: ${outcome.text.slice(0, 100)}`;
  if (!(one.refused as readonly string[]).includes(outcome.code))
    return `refused as ${outcome.code} (${outcome.message.slice(0, 200)}), not as ${one.refused.join(" or ")}`;
  return shown.includes(world.outside) && !one.path.includes(world.outside) ? "it shows where a link leads" : undefined;
}

/**
 * Takes every case by every way that wants what the case is about; with `share` below 1 by each way only that share of
 * them, another one for each.
 */
export async function runCases(
  world: World,
  cases: readonly FenceCase[],
  ways: readonly Way[],
  share = 1,
): Promise<CaseReport> {
  const step = Math.round(1 / share);
  const violations: string[] = [];
  const sums = { tried: 0, refused: 0, reached: 0 };
  const changed = new Set<string>();
  let changing = 0;
  const lookForChanges = (one: FenceCase): readonly string[] => {
    const found = world.changes().filter((folder) => !changed.has(folder));
    for (const folder of found) changed.add(folder);
    return found.map((folder) => `${folder} was changed by ${JSON.stringify(one.path)} or one of ${LOOK_EVERY} before`);
  };
  for (const [index, one] of cases.entries())
    for (const [number, way] of ways.entries()) {
      if ((index + number) % step !== 0) continue;
      if (one.wanted !== undefined && !one.wanted.includes(way.wanted)) continue;
      sums.tried++;
      const problem = problemOf(one, await outcomeOf(way, one), world);
      if (problem === undefined) sums[one.refused === undefined ? "reached" : "refused"]++;
      else
        violations.push(`${way.name} ${one.kind} ${one.project}:${JSON.stringify(one.path.slice(0, 120))}: ${problem}`);
      if (way.wanted === "read" || way.wanted === "tree" || ++changing % LOOK_EVERY !== 0) continue;
      violations.push(...lookForChanges(one));
    }
  violations.push(...lookForChanges(cases.at(-1)!));
  return { ...sums, violations };
}
