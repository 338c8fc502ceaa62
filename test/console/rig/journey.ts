import type { Page } from "playwright-core";
import type { TestService, TestServiceOptions } from "../../../apps/server/src/testing/test-service.ts";
import type { OperatorClient } from "../../../packages/operator-api/src/client.ts";

/** Where a journey takes place: a window of a browser that stores nothing of a journey before, on a running service. */
export interface JourneyPlace {
  readonly page: Page;
  /** Of the journey's credential, if it has one; to make what the journey is about. */
  readonly operator: OperatorClient;
  readonly service: TestService;
  /** Opens a screen by its address inside the console (`approvals`, `chat/one`) and waits until it is there. */
  visit(screen: string): Promise<void>;
  /** Answers of these status codes are part of the journey; any other one above 399 fails it. */
  expectStatus(...codes: readonly number[]): void;
}

/**
 * What a person does on a screen, on desktop. It fails when it does not come to its end, and when the page meanwhile
 * printed an error, asked another origin, or broke its Content-Security-Policy.
 */
export interface Journey {
  /** What the person reaches: "approves a call with its arguments changed". */
  readonly title: string;
  /** For a service of its own. Default: the one that all journeys share; leave nothing waiting there. */
  readonly service?: TestServiceOptions;
  run(at: JourneyPlace): Promise<void>;
}
