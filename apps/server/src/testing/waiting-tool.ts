import type { AnyTool } from "@agent-service/agent-core/host";
import * as v from "valibot";

/** A pure tool `waiting` that returns `went on` once the test releases it. */
export interface WaitingTool {
  readonly tool: AnyTool;
  /** Resolves once a call waits. */
  readonly started: Promise<void>;
  /** Releases every call. */
  release(): void;
  /** Makes later calls wait again. */
  hold(): void;
}

/** Makes a tool that waits from its first call on. */
export function waitingTool(): WaitingTool {
  let gate = Promise.withResolvers<void>();
  let started = Promise.withResolvers<void>();
  return {
    tool: {
      name: "waiting",
      description: "Waits until the test lets it continue.",
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
    release: () => gate.resolve(),
    hold() {
      gate = Promise.withResolvers();
      started = Promise.withResolvers();
    },
  };
}
