import type { AnyTool } from "@agent-service/agent-core/host";
import * as v from "valibot";

/** A pure tool `waiting` that holds its turn until the test lets it go on; it answers `went on`. */
export interface WaitingTool {
  readonly tool: AnyTool;
  /** Resolves once a call waits. */
  readonly started: Promise<void>;
  /** Lets every call go on. */
  goOn(): void;
  /** Makes the calls to come wait anew. */
  hold(): void;
}

/** Makes a tool that waits from its first call on. */
export function waitingTool(): WaitingTool {
  let gate = Promise.withResolvers<void>();
  let started = Promise.withResolvers<void>();
  return {
    tool: {
      name: "waiting",
      description: "Waits until the test lets it go on.",
      input: v.object({}),
      effect: "pure",
      run: async () => {
        started.resolve();
        await gate.promise;
        return "went on";
      },
    },
    get started() {
      return started.promise;
    },
    goOn: () => gate.resolve(),
    hold() {
      gate = Promise.withResolvers();
      started = Promise.withResolvers();
    },
  };
}
