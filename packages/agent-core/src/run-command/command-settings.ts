import type { SandboxState } from "../process/index.ts";

/** The keys of the section `filesystem` that are about commands. */
export interface CommandSettings {
  readonly enabled: boolean;
  readonly allow_run: boolean;
  readonly run_requires_approval: boolean;
  readonly run_auto_approve: readonly string[];
  readonly sandbox: "auto" | "required" | "off";
  readonly run_network: "approved" | "always" | "never";
  readonly run_env: readonly string[];
}

/** Why there is no `run_command`; undefined: there is one (F14, F15). */
export function commandsOff(settings: CommandSettings, state: SandboxState | undefined): string | undefined {
  const { enabled, allow_run: allowed, sandbox, run_network: network } = settings;
  if (!enabled || !allowed) return "the settings switch it off (filesystem.allow_run)";
  if (sandbox === "off") {
    return network === "never" ? "filesystem.run_network is never, which needs the sandbox that is off" : undefined;
  }
  if (state?.usable === true || (sandbox === "auto" && network !== "never")) return undefined;
  const needs = sandbox === "required" ? "filesystem.sandbox is required" : "filesystem.run_network is never";
  return `${needs}, and no sandbox is usable: ${state === undefined ? "it was not looked for" : state.reason}`;
}
