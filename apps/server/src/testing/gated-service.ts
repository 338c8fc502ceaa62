import { PATIENT_RECALL, startTestService, type TestService, type TestServiceOptions } from "./test-service.ts";

export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what was answered; every answer is held against its schema by the service
  readonly body: any;
}

/** An event of the bus; `shown` is the part of its data that is public, undefined where nothing is. */
export interface PublishedEvent {
  readonly topic: string;
  readonly data: Record<string, unknown>;
  readonly shown: unknown;
}

/** A service with a token for the operator and one for peers. */
export interface GatedService extends AsyncDisposable {
  readonly running: TestService;
  /** Everything published so far. */
  readonly published: readonly PublishedEvent[];
  /** Sends a request with a token; default: the operator's. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<ApiAnswer>;
  /** Sends a message with a token; resolves with the task as JSON text. Default: the operator's. */
  say(text: string, token?: string): Promise<string>;
}

export const PEERS_TOKEN = "a-peers";
const OPERATORS_TOKEN = "the-operators";

/** Starts it, with more settings where they are given, and follows what it publishes. */
export async function startGatedService({
  config = "",
  env = {},
}: Pick<TestServiceOptions, "config" | "env"> = {}): Promise<GatedService> {
  const running = await startTestService({
    env,
    config: `auth: {token: ${OPERATORS_TOKEN}, federation_token: ${PEERS_TOKEN}}\n${/^knowledge:/m.test(config) ? "" : PATIENT_RECALL}${config}`,
  });
  const published: PublishedEvent[] = [];
  const following = new AbortController();
  const pages = running.service.core.bus.follow(undefined, following.signal);
  void (async () => {
    for await (const page of pages)
      for (const { text, publicText } of page)
        published.push({
          ...(JSON.parse(text) as Omit<PublishedEvent, "shown">),
          shown: publicText === undefined ? undefined : (JSON.parse(publicText) as { data: unknown }).data,
        });
  })();
  return {
    running,
    published,
    async ask(method, path, body, token = OPERATORS_TOKEN) {
      const json = body !== undefined && { "content-type": "application/json" };
      const response = await fetch(running.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...json },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    say: async (text, token = OPERATORS_TOKEN) =>
      JSON.stringify(await running.wireAs({ authorization: `Bearer ${token}` }).say(text)),
    async [Symbol.asyncDispose]() {
      following.abort();
      await running.stop();
    },
  };
}
