/** What a case is written in. */
import type { Random } from "../random.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import type { InstanceName } from "./grammar.ts";
import type { Verdict } from "./judge.ts";

/** One case at work. */
export interface Session {
  /** Everything is drawn from here, so that a case is the same whenever it is run. */
  readonly random: Random;
  /** Conversations that this case shares with a few others. */
  readonly contexts: readonly string[];
  /** Sends a request and judges the answer. Violations are noted by themselves. */
  send(instance: InstanceName, request: FuzzRequest): Promise<Verdict>;
  /** Notes what no single answer shows. */
  blame(violation: string): void;
}

/** A case: it sends one request, or several that follow from each other. */
export type Scenario = (session: Session) => Promise<void>;
