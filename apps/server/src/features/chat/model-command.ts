import { ModelConfigError, type SlashCommand } from "@agent-service/agent-core/host";

/** What is known of the models. */
export interface KnownModels {
  leadName(): string;
  favorites(): readonly string[];
  /** The name of the model that a value stands for. @throws ModelConfigError */
  choose(value: string): string;
}

/** `/model`: which model leads, and whether a name stands for one. It changes nothing: a model is chosen per turn. */
export function modelCommand(models: KnownModels): SlashCommand {
  return {
    name: "model",
    kind: "control",
    description: "Tells which model leads, and whether a name stands for one",
    usage: "/model [name]",
    run: ({ args }) => ({ kind: "reply", text: args === "" ? overview(models) : toldOf(args, models) }),
  };
}

function overview({ leadName, favorites }: KnownModels): string {
  const known = favorites();
  const others = known.length === 0 ? "" : ` Favourites: ${known.join(", ")}.`;
  return `${leadName()} leads.${others} Another model is named per turn, by \`model\`.`;
}

function toldOf(name: string, { choose }: KnownModels): string {
  try {
    return `${choose(name)} can be asked: send a turn with \`model\` set to ${name}.`;
  } catch (error) {
    if (error instanceof ModelConfigError) return error.message;
    throw error;
  }
}
