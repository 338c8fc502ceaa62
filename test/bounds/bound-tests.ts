/** A test that reports bounds. */
export interface BoundTest {
  /** Path from the repository's root. */
  readonly file: string;
  /** What its title has and no other title of these files. */
  readonly title: string;
  /** What it reports. */
  readonly what: readonly string[];
}

const SERVICE = "apps/server/src";
const CORE = "packages/agent-core/src";

/** Every test that reports bounds, and what: one that is not reported is not held. */
export const BOUND_TESTS: readonly BoundTest[] = [
  {
    file: `${CORE}/turn/step/trim-window.test.ts`,
    title: "keeps its prefix for 50 turns",
    what: [994, 5_000].flatMap((count) => [
      `prefix shared with the call before, least of 60 turns from ${count} messages on`,
      `messages shown from ${count} on, with the one that passes 1,000`,
    ]),
  },
  {
    file: `${SERVICE}/model-layer/bad-gateway.test.ts`,
    title: "an endless stream of text is cut",
    what: ["an answer without an end"],
  },
  {
    file: `${SERVICE}/engine/turn-limits.test.ts`,
    title: "refuses a message when the queue is full",
    what: ["turns at work when the next has to wait", "turns that wait when a message is refused"],
  },
  {
    file: `${SERVICE}/access/peer-shares.test.ts`,
    title: "leave half of the running turns",
    what: ["turns at work of peers, of all", "turns that wait of peers, of all"],
  },
  {
    file: `${SERVICE}/access/peer-shares.test.ts`,
    title: "take half of the streams",
    what: ["streams of peers, of all"],
  },
  {
    file: `${SERVICE}/surfaces/a2a/long-conversation.test.ts`,
    title: "of huge messages: the newest are shown",
    what: ["a context of 24 MiB as the model is shown it, with the 6 MiB that pass 16"],
  },
  {
    file: `${SERVICE}/access/listen.test.ts`,
    title: "ends a request whose body does not come",
    what: ["a request whose body does not come, until its 408"],
  },
  {
    file: `${CORE}/model/model-lanes.test.ts`,
    title: "a lane is saturated once its queue",
    what: ["a lane's queue before the lane counts as saturated"],
  },
  {
    file: `${CORE}/idempotency/idempotency-store.test.ts`,
    title: "IK3: last 24 hours",
    what: ["an idempotency key still answers after"],
  },
  {
    file: "packages/a2a-protocol/src/server/body/unread-readings.test.ts",
    title: "keep few of the tasks in memory",
    what: ["tasks of 12 MiB that unread streams keep, with the one that is added"],
  },
  {
    file: "test/bench/prompt-budget.test.ts",
    title: "system text and tools of the service",
    what: ["system text and tools of a call"],
  },
];
