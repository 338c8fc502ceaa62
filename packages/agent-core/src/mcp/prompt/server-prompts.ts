import type { SlashCommand } from "../../command/index.ts";
import type { ManagedServer } from "../connection/index.ts";
import { offered, type PinnedDefinition, type PromptDefinition } from "../definition/index.ts";
import type { McpServerSettings } from "../settings/index.ts";
import { promptCommand } from "./prompt-command.ts";
import { type PromptRow, type PromptServer, promptRows } from "./prompt-rows.ts";

/** A server as it is configured, what is known of it, and its connection. */
export interface ConnectedServer extends PromptServer {
  readonly settings: Pick<McpServerSettings, "name" | "maxResultChars">;
}

export interface ServerPromptsOptions {
  /** By name; undefined: it is switched off. */
  connection(server: string): ManagedServer | undefined;
  pins(server: string): readonly PinnedDefinition[];
  /** Milliseconds that a server has to answer. */
  timeoutMs(): number;
  /** Takes secrets out of what a server says. */
  redact(text: string): string;
}

/** The prompts of all servers, and their slash commands. */
export class ServerPrompts {
  readonly #options: ServerPromptsOptions;
  #rows: ReadonlyMap<string, readonly PromptRow[]> = new Map();
  #commands: readonly SlashCommand[] = [];

  constructor(options: ServerPromptsOptions) {
    this.#options = options;
  }

  /** Of the servers that are switched on; the same list while nothing changed. */
  get commands(): readonly SlashCommand[] {
    return this.#commands;
  }

  rowsOf(server: string): readonly PromptRow[] {
    return this.#rows.get(server) ?? [];
  }

  /** Makes rows and commands anew. */
  update(servers: readonly ConnectedServer[], denylist: readonly string[]): void {
    this.#rows = promptRows(servers, denylist);
    this.#commands = servers.flatMap(({ settings }) =>
      this.#options.connection(settings.name) === undefined
        ? []
        : this.rowsOf(settings.name).flatMap(({ command, offered: definition }) =>
            definition === undefined ? [] : [this.#command(settings, command, definition)],
          ),
    );
  }

  #command(
    { name, maxResultChars }: ConnectedServer["settings"],
    command: string,
    definition: PromptDefinition,
  ): SlashCommand {
    const { connection, pins, timeoutMs, redact } = this.#options;
    return promptCommand({
      ...{ server: name, command, definition, timeoutMs, redact },
      connection: () => connection(name),
      isOffered: () => pins(name).some((pin) => pin.kind === "prompt" && offered(pin) === definition),
      maxChars: () => maxResultChars,
    });
  }
}
