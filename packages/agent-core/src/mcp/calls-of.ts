import type { Effect } from "@agent-service/plugin-sdk";
import { type HeldCalls, ServerCalls } from "./call/index.ts";
import { targetDigest } from "./definition/index.ts";
import type { RunningEntry } from "./mcp-server-entry.ts";
import type { McpServersOptions } from "./mcp-servers-options.ts";
import { NO_OFFERS, offersOf, rootsOf, type SamplingAsk } from "./offer/index.ts";
import { ResourceCalls } from "./resource/index.ts";

/** What calls of a server are made with. */
export interface CallsParts {
  readonly name: string;
  readonly options: McpServersOptions;
  readonly held: HeldCalls;
  /** As it is now; undefined: it is configured no more. */
  entry(): RunningEntry | undefined;
  effect(tool: string): Effect | undefined;
}

/** The calls of a server's tools, and of those that read its resources. */
export function callsOf(parts: CallsParts): Pick<RunningEntry, "calls" | "resources"> {
  const { name, held, entry } = parts;
  const { clock, pins, traceparent, redactor, sampler, writable } = parts.options;
  const settings = () => {
    const known = entry()?.entry;
    return known?.kind === "server" ? known.settings : undefined;
  };
  const made = {
    ...{ name, clock, held, ...(traceparent !== undefined && { traceparent }) },
    server: () => entry()?.server,
    settings: () => {
      const known = settings();
      if (known === undefined)
        return { callTimeoutMs: null, maxResultChars: null, elicitation: false, offers: NO_OFFERS };
      const { callTimeoutMs, maxResultChars, elicitation } = known;
      return { callTimeoutMs, maxResultChars, elicitation, offers: offersOf(known) };
    },
    sample: (ask: SamplingAsk) => sampler.sample(ask),
    roots: () => rootsOf(writable()),
    target: () => {
      const known = settings();
      return known && targetDigest(known.target);
    },
    pin: (tool: string) => pins.of(name).find((pin) => pin.kind === "tool" && pin.name === tool),
    effect: (tool: string): Effect => parts.effect(tool) ?? "effect",
    redact: (text: string) => redactor.known(text),
  };
  return { calls: new ServerCalls(made), resources: new ResourceCalls(made) };
}
