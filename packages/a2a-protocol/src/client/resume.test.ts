import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentStep, createA2AHandler, inMemoryExecutor } from "../server/index.ts";
import { type AgentEvent, type ConnectOptions, connect, type RemoteAgent } from "./index.ts";

/** What happens to one connection: lost on the way there, lost on the way back, or cut after some bytes. */
type Fate = "request lost" | "response lost" | number;
type Script = readonly (AgentStep | { readonly ask: string })[];

const EXTENSIONS = ["stream-cursor-v1", "idempotency-v1"].map((name) => ({ uri: `urn:agent-service:a2a:ext:${name}` }));
/** Retries without waiting: the test has no time to pass. */
const timers: ConnectOptions["timers"] = {
  after(_, ring) {
    const handle = setImmediate(ring);
    return () => clearImmediate(handle);
  },
};

/** An agent that plays a script, reached through a network with a fate for each connection. */
async function reach(
  script: Script,
  fates: readonly Fate[],
  numbered = true,
  maxReconnects = fates.length + 1,
  version: "1.0" | "0.3" = "1.0",
): Promise<{ agent: RemoteAgent; unused: Fate[] }> {
  const executor = inMemoryExecutor(
    async function* ({ ask }) {
      for (const step of script) {
        if ("ask" in step) yield { text: `[${await ask(step.ask)}]` };
        else yield step;
        // Lets readers in between the steps, as a real agent's work would.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    { now: () => 0, onError: () => {} },
  );
  const card = { name: "T", description: "d", extensions: numbered ? EXTENSIONS : [] };
  const handler = createA2AHandler({ card, executor });
  const unused = [...fates];
  const agent = await connect("http://agent.example", {
    timers,
    idleTimeoutMs: 0,
    maxReconnects,
    fetch: async (input, init) => {
      const fate = init?.method === "POST" ? unused.shift() : undefined;
      if (fate === "request lost") throw new TypeError("fetch failed");
      const response = await handler(new Request(input, init));
      // An agent whose card offers this version alone.
      if (init?.method !== "POST") return Response.json(offering(version, (await response.json()) as Offers));
      if (fate === "response lost") {
        await response.body?.cancel();
        throw new TypeError("fetch failed");
      }
      const body = numbered ? response.body : response.body?.pipeThrough(withoutIds());
      return new Response(fate === undefined ? body : body?.pipeThrough(cutAfter(fate)), response);
    },
  });
  return { agent, unused };
}

interface Offers {
  readonly supportedInterfaces: readonly { readonly protocolVersion: string }[];
}
function offering(version: string, card: Offers): Offers {
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version);
  return { ...card, supportedInterfaces };
}

/** Bytes arrive in small pieces, and after `length` of them the connection breaks. */
function cutAfter(length: number): TransformStream<Uint8Array, Uint8Array> {
  let left = length;
  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += 50) {
        const piece = chunk.subarray(at, Math.min(at + 50, at + left, chunk.length));
        if (piece.length > 0) controller.enqueue(piece);
        left -= piece.length;
        if (left <= 0) return controller.error(new TypeError("terminated"));
      }
    },
  });
}

function withoutIds(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(new TextEncoder().encode(decoder.decode(chunk).replace(/^id: \d+\n/gm, "")));
    },
  });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function experience(agent: RemoteAgent): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.stream("go")) {
    events.push(event);
    if (event.kind === "input-required") await event.answer(`re: ${event.question}`);
  }
  return events;
}

/** Events with the ids of this run replaced by their order of appearance. */
function comparable(events: readonly AgentEvent[]): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(events).replace(/[\da-f]{8}-[\da-f-]{27}/g, (id) => {
    if (!ids.has(id)) ids.set(id, `#${ids.size}`);
    return ids.get(id)!;
  });
  return JSON.parse(text);
}

const step: fc.Arbitrary<Script[number]> = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).map((text) => ({ text })) },
  fc.constant({ status: "thinking" }),
  fc.record({ artifact: fc.record({ name: fc.constant("n"), text: fc.string({ maxLength: 10 }) }) }),
  fc.constant({ ask: "Which?" }),
);
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 3000 }) },
  fc.constant<Fate>("request lost"),
  fc.constant<Fate>("response lost"),
);

describe("a stream whose connections break", () => {
  it.each(["1.0", "0.3"] as const)("yields the same events as one that never broke, in version %s", async (version) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.array(fate, { maxLength: 8 }), async (script, fates) => {
        const whole = await experience((await reach(script, [], true, 1, version)).agent);
        const { agent } = await reach(script, fates, true, fates.length + 1, version);
        expect(agent.endpoint.version).toBe(version);
        expect(comparable(await experience(agent))).toEqual(comparable(whole));
      }),
      { numRuns: 80 },
    );
  });

  it("delivers every character once also from an agent that numbers nothing", async () => {
    const cut = fc.integer({ min: 900, max: 3000 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 10 }),
        fc.array(cut, { maxLength: 3 }),
        async (pieces, fates) => {
          const { agent } = await reach(
            pieces.map((text) => ({ text })),
            fates,
            false,
          );
          let text = "";
          for await (const event of agent.stream("go")) {
            if (event.kind === "text") text += event.delta;
            if (event.kind === "text-reset") text = "";
          }
          expect(text).toBe(pieces.join(""));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("gives up after the attempts it was given without progress", async () => {
    const fates: Fate[] = Array.from({ length: 10 }, () => "request lost");
    const { agent, unused } = await reach([], fates, true, 3);
    await expect(collect(agent.resubscribe("t"))).rejects.toMatchObject({ code: "network" });
    expect(unused).toHaveLength(6);
  });

  it("does not repeat a message to an agent that might take it for a second one", async () => {
    const { agent, unused } = await reach([{ text: "x" }], ["response lost", "response lost"], false);
    await expect(collect(agent.stream("go"))).rejects.toMatchObject({ code: "network" });
    expect(unused).toHaveLength(1);
  });

  it("repeats a send under one key where the agent promises that this is the same task", async () => {
    const { agent } = await reach([{ text: "x" }], ["response lost", 10, "request lost"]);
    const first = await agent.send("go", { idempotencyKey: "k" });
    expect((await agent.send("go", { idempotencyKey: "k" })).task?.id).toBe(first.task?.id);
  });
});
