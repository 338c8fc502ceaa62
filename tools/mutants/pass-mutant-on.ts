import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Stryker's name of the mutant that is to be active; undefined in the run before, which has none. */
    activeMutant?: string;
  }
}

// Stryker activates a mutant in the thread of the tests. Threads and processes that the tests start inherit this instead.
const mutant = inject("activeMutant");
if (mutant === undefined) delete process.env.__STRYKER_ACTIVE_MUTANT__;
else process.env.__STRYKER_ACTIVE_MUTANT__ = mutant;
