import { createHash } from "node:crypto";
import path from "node:path";
import { type Checker, type CheckResult, CheckStatus } from "@stryker-mutator/api/check";
import type { Mutant as StrykerMutant, StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import { keyOf, type Mutant } from "./mutant-report.ts";

/** Which mutants to try. */
export interface ChosenMutants {
  /** Only these (`keyOf`). */
  readonly keys?: readonly string[];
  /** At most so many, drawn by the seed. */
  readonly sample?: number;
  readonly seed: string;
}

/** The reason given for a mutant that was not to be tried: Stryker knows no other way to pass one over late. */
export const NOT_CHOSEN = "not chosen";

/** One of Stryker's mutants in the form of a report. It counts lines and columns from 0 in a plan, from 1 in a result. */
export function toMutant(mutant: StrykerMutant, countsFrom: 0 | 1): Mutant {
  const { fileName, location, mutatorName, replacement, status } = mutant;
  return {
    file: path.isAbsolute(fileName) ? path.relative(process.cwd(), fileName) : fileName,
    start: { line: location.start.line + 1 - countsFrom, column: location.start.column + 1 - countsFrom },
    end: { line: location.end.line + 1 - countsFrom, column: location.end.column + 1 - countsFrom },
    mutator: mutatorName,
    replacement,
    status: status ?? "Pending",
  };
}

/**
 * The ids of the mutants to try, in an order that the seed draws. It is the same for the same seed and code, and whatever
 * part of it a run gets to is as fair a sample as all of it.
 */
export function chooseMutants(mutants: readonly StrykerMutant[], chosen: ChosenMutants): string[] {
  const { keys, sample, seed } = chosen;
  const rankOf = (key: string) => createHash("sha256").update(`${seed} ${key}`).digest("hex");
  return mutants
    .map((mutant) => ({ id: mutant.id, key: keyOf(toMutant(mutant, 0)) }))
    .filter(({ key }) => keys === undefined || keys.includes(key))
    .map(({ id, key }) => ({ id, rank: rankOf(key) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, sample)
    .map(({ id }) => id);
}

/** Filters Stryker's list of mutants before the test runs: only the chosen ones are tried. */
class ChosenMutantsChecker implements Checker {
  static readonly inject = tokens(commonTokens.options);
  readonly #chosen: ChosenMutants;
  #ids = new Set<string>();

  constructor(options: StrykerOptions) {
    this.#chosen = options.chosenMutants as ChosenMutants;
  }

  async init(): Promise<void> {}

  /** Called once, with all mutants, before any is checked. They are tried in the order of the groups. */
  async group(mutants: StrykerMutant[]): Promise<string[][]> {
    const ids = chooseMutants(mutants, this.#chosen);
    this.#ids = new Set(ids);
    const others = mutants.map(({ id }) => id).filter((id) => !this.#ids.has(id));
    return [...ids.map((id) => [id]), others];
  }

  async check(mutants: StrykerMutant[]): Promise<Record<string, CheckResult>> {
    const passed: CheckResult = { status: CheckStatus.Passed };
    const failed: CheckResult = { status: CheckStatus.CompileError, reason: NOT_CHOSEN };
    return Object.fromEntries(mutants.map(({ id }) => [id, this.#ids.has(id) ? passed : failed]));
  }
}

/** What Stryker reads from a plugin's module. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, "chosen-mutants", ChosenMutantsChecker)];
export const strykerValidationSchema = { properties: { chosenMutants: { type: "object" } } };
