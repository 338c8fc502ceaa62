export type { FakeOutcome } from "./fake-call.ts";
export type {
  FakeCallOptions,
  FakeHost,
  FakeHostOptions,
  FakeLogLine,
  FakeReconciliation,
} from "./fake-host.ts";
export { FakeHostError, fakeHost } from "./fake-host.ts";
