import type { CommandKind, SlashCommand } from "./slash-command.ts";

/** The kinds in the order they hide each other (B33). */
const ORDER: readonly CommandKind[] = ["control", "plugin_command", "workflow", "subagent", "skill", "mcp_prompt"];

/** Commands that belong together. A function returns the current ones. */
export type CommandSource = readonly SlashCommand[] | (() => readonly SlashCommand[]);

/** The commands of operators. Features and plugins add theirs. */
export class CommandRegistry {
  readonly #sources: CommandSource[] = [];

  constructor() {
    this.add([helpCommand(this)]);
  }

  /** Adds commands; returns a function that takes them away again. */
  add(source: CommandSource): () => void {
    this.#sources.push(source);
    return () => {
      const at = this.#sources.indexOf(source);
      if (at >= 0) this.#sources.splice(at, 1);
    };
  }

  /** Every available command, by kind and in the order they were added; hidden ones are not among them. */
  list(): readonly SlashCommand[] {
    const byName = new Map<string, SlashCommand>();
    for (const command of this.#all()) if (!byName.has(command.name)) byName.set(command.name, command);
    return [...byName.values()];
  }

  find(name: string): SlashCommand | undefined {
    return this.#all().find((command) => command.name === name);
  }

  /** Every name, as a list in a sentence. */
  names(): string {
    return this.list()
      .map(({ name }) => `/${name}`)
      .join(", ");
  }

  #all(): readonly SlashCommand[] {
    const all = this.#sources.flatMap((source) => (typeof source === "function" ? source() : source));
    return all.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  }
}

function helpCommand(registry: CommandRegistry): SlashCommand {
  return {
    name: "help",
    kind: "control",
    description: "Lists the commands",
    usage: "/help",
    run() {
      const lines = registry.list().map(({ usage, description }) => `- \`${usage}\`: ${description}.`);
      return { kind: "reply", text: lines.join("\n") };
    },
  };
}
