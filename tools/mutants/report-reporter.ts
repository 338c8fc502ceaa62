import { appendFileSync, existsSync, statSync } from "node:fs";
import type { MutantResult, StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import type { MutationTestingPlanReadyEvent, Reporter } from "@stryker-mutator/api/report";
import { NOT_CHOSEN, toMutant } from "./chosen-mutants.ts";

/** Adds each mutant to the report file as soon as it was tried, so that a run that is broken off has not been for nothing. */
class ReportReporter implements Reporter {
  static readonly inject = tokens(commonTokens.options);
  readonly #file: string;

  constructor(options: StrykerOptions) {
    this.#file = options.mutantReport as string;
  }

  onMutationTestingPlanReady({ mutantPlans }: MutationTestingPlanReadyEvent): void {
    if (!existsSync(this.#file) || statSync(this.#file).size === 0) this.#add({ all: mutantPlans.length });
  }

  onMutantTested(result: Readonly<MutantResult>): void {
    if (result.statusReason !== NOT_CHOSEN) this.#add(toMutant(result, 1));
  }

  #add(line: object): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** What Stryker reads from a plugin's module. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "mutant-report", ReportReporter)];
export const strykerValidationSchema = { properties: { mutantReport: { type: "string" } } };
