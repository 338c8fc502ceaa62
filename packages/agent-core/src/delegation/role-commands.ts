import type { SlashCommand } from "../command/index.ts";
import type { RoleBook } from "./role-book.ts";

/**
 * `/researcher <task>` and its like (B33): a turn of the conversation that the role leads, with
 * its tools and rounds. A role that is switched off has no command.
 */
export function roleCommands(roles: RoleBook): readonly SlashCommand[] {
  return roles
    .list()
    .filter(({ enabled }) => enabled)
    .map(({ name, description, model }) => ({
      name,
      kind: "subagent",
      description: description.replace(/\.$/, ""),
      usage: `/${name} <task>`,
      run({ args }) {
        if (args === "") return { kind: "reply", text: `Say what to do: \`/${name} <task>\`.` };
        return { kind: "turn", role: name, text: args, ...(model !== "" && { options: { model } }) };
      },
    }));
}
