/** When a life of the service ends. */
import type { Random } from "./random.ts";

/** The process ends itself, at a moment that no timer could hit. */
export interface SelfKill {
  /**
   * Just before or after the nth commit of the life; of the inbox's, the board's, memory's, the jobs' and the steering's own; of those of
   * one label; of a side effect; of a call's keeping of a note, as the tool sees it.
   */
  readonly kind: "commit" | "left" | "label" | "tool" | "note";
  /** Of the commits that are counted, where `kind` is `label`. */
  readonly label?: string;
  readonly side: "before" | "after";
  readonly nth: number;
}

/** How one life ends. */
export type KillMoment =
  /** A share of the time a start takes, so that it hits start, migration and reconciling. */
  | { readonly kind: "booting"; readonly share: number }
  /** Milliseconds after it answers. */
  | { readonly kind: "serving"; readonly ms: number }
  /** When its nth webhook has arrived, before or after it is answered. */
  | { readonly kind: "post"; readonly side: "before" | "after"; readonly nth: number }
  /** Just before or after the nth effect of an MCP server. */
  | { readonly kind: "mcp"; readonly side: "before" | "after"; readonly nth: number }
  | { readonly kind: "self"; readonly self: SelfKill };

/** Draws one. */
export function drawKillMoment(random: Random): KillMoment {
  const remote = random.fork("mcp");
  if (remote.chance(0.25))
    return { kind: "mcp", side: remote.pick(["before", "after"] as const), nth: remote.int(1, 3) };
  const kind = random.next();
  if (kind < 0.15) return { kind: "booting", share: 0.3 + 0.7 * random.next() };
  if (kind < 0.43) return { kind: "serving", ms: random.int(1, 260) };
  const side = random.pick(["before", "after"] as const);
  if (kind < 0.56) return { kind: "post", side, nth: random.int(1, 30) };
  if (kind < 0.78) return { kind: "self", self: { kind: "commit", side, nth: random.int(1, 120) } };
  if (kind < 0.88) return { kind: "self", self: { kind: "left", side, nth: random.int(1, 6) } };
  // After it, the note is the only trace of what the call has begun: the moment that shows whether it is durable and used.
  if (kind < 0.93) return { kind: "self", self: { kind: "note", side: "after", nth: random.int(1, 2) } };
  return { kind: "self", self: { kind: "tool", side, nth: random.int(1, 6) } };
}

const SELF_KILLS = {
  commit: "commit",
  left: "commit of the inbox, the board, memory, the jobs or the steering",
  label: "commit of the label",
  tool: "side effect",
  note: "keeping of a note",
} as const;

/** For people. */
export function describeKill(moment: KillMoment): string {
  switch (moment.kind) {
    case "booting":
      return `at ${Math.round(moment.share * 100)} % of a start`;
    case "serving":
      return `${moment.ms} ms after it answered`;
    case "post":
      return `${moment.side} the answer to webhook ${moment.nth}`;
    case "mcp":
      return `${moment.side} effect ${moment.nth} of an MCP server`;
    case "self":
      return `${moment.self.side} ${SELF_KILLS[moment.self.kind]} ${[moment.self.label, moment.self.nth].filter((part) => part !== undefined).join(" ")}`;
  }
}
