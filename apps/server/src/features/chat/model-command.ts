import { ModelConfigError, type SlashCommand } from "@agent-service/agent-core/host";

export interface KnownModels {
  leadName(): string;
  favorites(): readonly string[];
  /** The name of the model for a value. @throws ModelConfigError */
  choose(value: string): string;
}

/** `/model`: shows the lead model, or the model for a name. It changes nothing: a model is chosen per turn. */
export function modelCommand(models: KnownModels): SlashCommand {
  return {
    name: "model",
    kind: "control",
    description: "Shows the lead model, or the model of a name",
    usage: "/model [name]",
    run: ({ args }) => ({ kind: "reply", text: args === "" ? overview(models) : descriptionOf(args, models) }),
  };
}

function overview({ leadName, favorites }: KnownModels): string {
  const known = favorites();
  const others = known.length === 0 ? "" : ` Favourites: ${known.join(", ")}.`;
  return `${leadName()} leads.${others} Another model is named per turn, by \`model\`.`;
}

function descriptionOf(name: string, { choose }: KnownModels): string {
  try {
    return `${choose(name)} can be asked: send a turn with \`model\` set to ${name}.`;
  } catch (error) {
    if (error instanceof ModelConfigError) return error.message;
    throw error;
  }
}
