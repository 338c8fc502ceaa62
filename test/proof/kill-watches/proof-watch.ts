/** Watches, as a trial draws them, and the pages they look at. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Random } from "../random.ts";

/** What a watch is about. */
export const WATCH_KINDS = ["change", "met", "once", "still", "brief"] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

/** A watch, and what may be done to it. */
export interface ProofWatch {
  readonly id: string;
  readonly kind: WatchKind;
  /** What `POST` is sent, without its check. */
  readonly body: { readonly [name: string]: string | number | boolean | undefined };
  /** A fire begins a turn; else it is a message. */
  readonly reacts: boolean;
  /** It may be removed. */
  readonly drifts: boolean;
}

/** A text that a page has where the condition of a watch of it holds. */
const HOLDS = "holds-yes";

/** Pages of a server here, one a watch: each says at which step it is, and whether the condition holds. */
export interface Pages {
  readonly url: (id: string) => string;
  set(id: string, step: number, holds: boolean): void;
  close(): Promise<void>;
}

export async function startPages(): Promise<Pages> {
  const texts = new Map<string, string>();
  const server = createServer((request, response) => {
    response.end(texts.get(request.url?.slice(1) ?? "") ?? "nothing here");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (id) => `http://127.0.0.1:${port}/${id}`,
    set: (id, step, holds) => void texts.set(id, `step ${step}: ${holds ? HOLDS : "holds-no"}`),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** At which step a page was when a check of it found what it says; undefined: it does not say. */
export function stepOf(evidence: string): number | undefined {
  const step = /step (\d+):/.exec(evidence)?.[1];
  return step === undefined ? undefined : Number(step);
}

export function checkOf(kind: WatchKind, url: string): object {
  const looks = kind === "met" || kind === "once" ? { contains: HOLDS } : kind === "brief" ? { contains: "never" } : {};
  return { check: "core:url", check_args: { url, ...looks } };
}

/** A script of the scripted model: most do something once, some fail or wait for a person. */
function drawPrompt(random: Random, id: string): string {
  const call = (tool: string): string =>
    `/call ${tool} ${JSON.stringify({ token: id, before: random.int(0, 40), after: random.int(0, 40) })}`;
  const kind = random.next();
  if (kind < 0.4) return `${call("append_once")}\n/then\n/wait ${random.int(1, 60)}\n/say ${id} is done`;
  if (kind < 0.6) return `${call("put_once")}\n/then\n/say ${id} is done`;
  if (kind < 0.8) return `/wait ${random.int(1, 300)}\n/say ${id} is done`;
  if (kind < 0.9) return `${call("append_once")}\n/then\n/fail 400`;
  return `${call("guarded_append")}\n/then\n/say ${id} is done`;
}

export function drawWatches(random: Random, count: number): ProofWatch[] {
  return Array.from({ length: count }, (_, i) => {
    const own = random.fork(`watch${i}`);
    const id = `w${i}`;
    const kind = WATCH_KINDS[i] ?? own.pick(["change", "met", "once"] as const);
    const reacts = kind !== "still" && kind !== "brief" && own.chance(0.7);
    const body = {
      ...{ watch_id: id, condition: `The page of ${id}`, run_session: own.pick(["a", "b", id]) },
      ...(reacts && { run_prompt: drawPrompt(own, id) }),
      ...((kind === "change" || kind === "still") && { on_change: true }),
      ...((kind === "change" || kind === "met") && { repeat: true }),
      ...(kind === "still" && { stall_after: 3 }),
      ...(kind === "brief" && { expires_in_s: own.int(10, 120) }),
    };
    return { id, kind, body, reacts, drifts: kind !== "still" && kind !== "brief" && own.chance(0.15) };
  });
}
