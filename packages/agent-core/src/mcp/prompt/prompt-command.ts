import type { CommandArgument, CommandOutcome, SlashCommand } from "../../command/index.ts";
import type { JsonObject } from "../../json/index.ts";
import { ConnectionError, type ManagedServer, readOf } from "../connection/index.ts";
import { type PromptDefinition, withoutInvisible } from "../definition/index.ts";
import { readArguments } from "./prompt-arguments.ts";
import { readPromptText } from "./prompt-text.ts";

const MAX_LINE = 300;

/** What the slash command of a prompt is made of. */
export interface PromptParts {
  readonly server: string;
  readonly command: string;
  /** The approved definition. */
  readonly definition: PromptDefinition;
  /** Undefined: it is switched off. */
  connection(): ManagedServer | undefined;
  /** Whether the definition is still what is approved and shown. */
  isOffered(): boolean;
  /** Characters of its text; null: no bound. */
  maxChars(): number | null;
  /** Milliseconds that the server has to answer. */
  timeoutMs(): number;
  /** Takes secrets out of what the server says. */
  redact(text: string): string;
}

function oneLine(text: string): string {
  return withoutInvisible(text).replaceAll(/\s+/g, " ").trim().slice(0, MAX_LINE);
}

/**
 * The slash command of a prompt (M12): what its server makes of the arguments leads the turn, as the text of a skill does.
 * The words are the server's, so the conversation is marked by them (K8).
 */
export function promptCommand(parts: PromptParts): SlashCommand {
  const { server, command, definition } = parts;
  const { description, title, name } = definition;
  const shown = definition.arguments.map((argument): CommandArgument => {
    const text = oneLine(argument.description ?? "");
    return { name: oneLine(argument.name), required: argument.required, ...(text !== "" && { description: text }) };
  });
  const words = shown.map((argument) => (argument.required ? `<${argument.name}>` : `[${argument.name}]`));
  const usage = [`/${command}`, ...words].join(" ");
  return {
    ...{ name: command, kind: "mcp_prompt", usage, arguments: shown },
    description: (oneLine(description) || oneLine(title ?? name)).replace(/\.$/, ""),
    async run({ args }): Promise<CommandOutcome> {
      const { values, rest, missing } = readArguments(args, definition.arguments);
      if (missing.length > 0)
        return { kind: "reply", text: `It needs ${missing.map(oneLine).join(" and ")}. It is written \`${usage}\`.` };
      const text = await textOf(parts, values);
      if ("problem" in text) return { kind: "reply", text: `${server}: ${text.problem}` };
      if (text.text === "") return { kind: "reply", text: `${server}: the prompt has no text` };
      return {
        ...{ kind: "turn", options: { wordsFrom: command } },
        text: rest === "" ? text.text : `${text.text}\n\n${rest}`,
      };
    },
  };
}

async function textOf(
  { definition, connection, isOffered, maxChars, timeoutMs, redact }: PromptParts,
  values: JsonObject,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (!isOffered()) return { problem: "this prompt changed and waits for you, or is gone; look at the server's page" };
  const ms = timeoutMs();
  const signal = AbortSignal.timeout(ms);
  const params = { name: definition.name, arguments: values };
  try {
    const result = await readOf(connection, { method: "prompts/get", params, signal, timeoutMs: ms });
    return { text: readPromptText(result, { maxChars: maxChars(), redact }) };
  } catch (error) {
    if (signal.aborted) return { problem: `it did not answer within ${ms / 1_000} s` };
    if (error instanceof ConnectionError) return { problem: error.message };
    throw error;
  }
}
