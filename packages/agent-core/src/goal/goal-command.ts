import type { SlashCommand } from "../command/index.ts";
import { CodedError } from "../error/index.ts";
import { writtenGoal } from "./goal-request.ts";
import { statusText } from "./goal-text.ts";
import type { Goals } from "./goals.ts";

/** Words after `/goal` that remove the goal (B32). */
const CLEARS: ReadonlySet<string> = new Set(["clear", "stop", "off", "cancel", "reset", "none"]);

/** `/goal`, while goals are on (G17). */
export function goalCommands(goals: Goals): () => readonly SlashCommand[] {
  const commands = [goalCommand(goals)];
  return () => (goals.isOn ? commands : []);
}

function goalCommand(goals: Goals): SlashCommand {
  return {
    name: "goal",
    kind: "control",
    description: "Sets what the agent works towards by itself, shows it, or clears it",
    usage: "/goal <condition, JSON, or clear>",
    async run({ args, context, incognito }) {
      if (args === "") {
        const goal = await goals.get(context);
        return { kind: "reply", text: goal === undefined ? "This conversation has no goal." : statusText(goal) };
      }
      if (CLEARS.has(args.toLowerCase())) {
        const cleared = await goals.clear(context);
        return { kind: "reply", text: cleared ? "The goal was cleared." : "This conversation has no goal." };
      }
      if (incognito)
        return { kind: "reply", text: "Nothing of this conversation may stay, so no goal can be set in it." };
      try {
        const { goal, replaced } = await goals.set({ ...writtenGoal(args), context, by: "chat" }, { kind: "turn" });
        const how = replaced ? "The goal was replaced" : "The goal is set";
        return { kind: "reply", text: `${how}; the agent works on it now.\n${statusText(goal)}` };
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return { kind: "reply", text: refusal(error) };
      }
    },
  };
}

function refusal({ code, message }: CodedError<string>): string {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  return code === "refused"
    ? `No goal was set. ${sentence} Use POST /api/goals, or agent-service goals set.`
    : `No goal was set. ${sentence}`;
}
