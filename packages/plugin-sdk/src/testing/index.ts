export type { FakeOutcome } from "./fake-call.ts";
export { type FakeCheck, type FakeCheckOptions, fakeCheck } from "./fake-check.ts";
export type { FakeContextOptions } from "./fake-context.ts";
export { fakeContext } from "./fake-context.ts";
export type {
  FakeHost,
  FakeHostOptions,
  FakeReconciliation,
} from "./fake-host.ts";
export { FakeHostError, fakeHost } from "./fake-host.ts";
export type { FakeCallOptions, FakeLogLine } from "./fake-records.ts";
