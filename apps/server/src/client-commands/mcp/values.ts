import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import type { CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { textFlags } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";

export type McpImport = AnswerOf<Extract<OperatorDefinition, { readonly name: "mcp.import" }>>;
/** What a person is asked for before a server works. */
export type McpInput = Pick<McpImport["inputs"][number], "key" | "label" | "secret" | "required">;

/** Values of placeholders, as the API takes them. */
export interface McpValues {
  readonly inputs: { readonly [name: string]: string };
  readonly secrets: { readonly [name: string]: string };
}

/** `NAME=value` of a flag that may be given more than once. */
export function pairsOf(context: Pick<CommandContext, "flags">, flag: string): { readonly [name: string]: string } {
  return Object.fromEntries(
    textFlags(context.flags, flag).map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw usage(`--${flag} takes NAME=value`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** `Name: value` of `--header`. */
export function headersOf(context: Pick<CommandContext, "flags">): { readonly [name: string]: string } {
  return Object.fromEntries(
    textFlags(context.flags, "header").map((text) => {
      const [, name, value] = /^([^:=\s]+)\s*[:=]\s*(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined) throw usage('--header takes "Name: value"');
      return [name, value];
    }),
  );
}

/**
 * Asks for what is missing where a person can answer; secrets are not shown. Required ones alone are asked for, and a blank
 * answer leaves one out.
 */
export async function askForValues(
  { io, json, write }: CommandContext,
  asked: readonly McpInput[],
  given: { readonly [name: string]: string },
): Promise<McpValues> {
  const values = new Map(Object.entries(given));
  const missing = asked.filter(({ key, required }) => required && (values.get(key) ?? "") === "");
  const keyboard = missing.length === 0 || json ? undefined : io.keyboard?.();
  try {
    for (const { key, label, secret } of keyboard === undefined ? [] : missing) {
      const answer = await keyboard?.ask(`${clean(label)}: `, { hidden: secret });
      if (secret) write("\n");
      if (answer === undefined) break;
      if (answer.trim() !== "") values.set(key, answer.trim());
    }
  } finally {
    keyboard?.close();
  }
  const isSecret = (key: string): boolean => asked.some((input) => input.key === key && input.secret);
  const split = (wanted: boolean) => Object.fromEntries([...values].filter(([key]) => isSecret(key) === wanted));
  return { inputs: split(false), secrets: split(true) };
}
