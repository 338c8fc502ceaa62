import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleSlash,
  CircleX,
  History,
  KeyRound,
  type LucideIcon,
} from "lucide-react";
import type { McpServer } from "./mcp-types.ts";

interface Look {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly colour: string;
}

/** A state is a word, an icon and a colour; amber is for what waits for a person. */
export const LOOKS: { readonly [TState in McpServer["state"]]: Look } = {
  disabled: { label: "Off", icon: CircleSlash, colour: "text-ink-soft" },
  idle: { label: "Not connected yet", icon: CircleDashed, colour: "text-ink-soft" },
  starting: { label: "Connecting", icon: CircleDot, colour: "text-accent" },
  ready: { label: "Connected", icon: CircleCheck, colour: "text-good" },
  backoff: { label: "Trying again", icon: History, colour: "text-ink-soft" },
  failing: { label: "Failing", icon: CircleX, colour: "text-bad" },
  needs_auth: { label: "Needs a sign-in", icon: KeyRound, colour: "text-waiting" },
  misconfigured: { label: "Needs settings", icon: CircleAlert, colour: "text-waiting" },
};

/** A text of the service as a sentence of a page. */
export function sentence(text: string): string {
  const whole = text.trim();
  const begun = /^[a-z]/.test(whole) ? whole.charAt(0).toUpperCase() + whole.slice(1) : whole;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** What a person does about a state; undefined: nothing. */
export function adviceFor({ state }: Pick<McpServer, "state">): string | undefined {
  if (state === "needs_auth") {
    return "Sign in, or give it a header such as Authorization with a credential.";
  }
  if (state === "failing") return "It failed often and is tried every five minutes. Its log may say why.";
  return undefined;
}

const TRANSPORTS = { stdio: "Program", streamable_http: "Service over HTTP", sse: "Service over HTTP (SSE)" } as const;

export function transportLabel(transport: McpServer["transport"]): string | undefined {
  return transport === null ? undefined : TRANSPORTS[transport];
}
