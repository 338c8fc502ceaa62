import { isWaiting, offered, type PinnedDefinition, type PromptDefinition } from "../definition/index.ts";
import { toolFilter } from "../names/index.ts";
import { definitionNames } from "../tool/index.ts";

/** A prompt of a server with what the settings and its pin make of it. */
export interface PromptRow {
  readonly pin: PinnedDefinition;
  /** Of its slash command. */
  readonly command: string;
  /** As that of a tool. */
  readonly state: "on" | "off" | "held" | "gone";
  /** What people are offered of it. */
  readonly offered: PromptDefinition | undefined;
}

/** A server and what is known of its definitions. */
export interface PromptServer {
  readonly settings: { readonly name: string };
  readonly pins: readonly PinnedDefinition[];
}

/** The prompts of all servers, by server. `denylist` has patterns of commands as of tools. */
export function promptRows(
  servers: readonly PromptServer[],
  denylist: readonly string[],
): ReadonlyMap<string, readonly PromptRow[]> {
  const names = definitionNames(servers, "prompt");
  const fits = toolFilter({ include: [], exclude: [], denylist });
  return new Map(
    servers.map(({ settings, pins }) => [
      settings.name,
      pins.flatMap((pin): readonly PromptRow[] => {
        const fullName = names.get(pin);
        if (fullName === undefined) return [];
        const isOff = !fits(pin.name, fullName);
        const definition = isOff ? undefined : offered(pin);
        const prompt = definition?.kind === "prompt" ? definition : undefined;
        return [{ pin, command: commandName(fullName), state: stateOf(pin, isOff, prompt), offered: prompt }];
      }),
    ]),
  );
}

/** A command begins with a small letter (R15); a name of a server may begin with a digit. */
function commandName(fullName: string): string {
  return /^[a-z]/.test(fullName) ? fullName : `mcp-${fullName}`;
}

function stateOf(pin: PinnedDefinition, isOff: boolean, prompt: PromptDefinition | undefined): PromptRow["state"] {
  if (pin.state === "gone") return "gone";
  if (isOff) return "off";
  return prompt === undefined || isWaiting(pin) ? "held" : "on";
}
