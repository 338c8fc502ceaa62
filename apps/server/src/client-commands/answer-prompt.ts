import { detailBeside, previewOf, previewText } from "./approval-preview.ts";
import type { CommandContext } from "./command.ts";
import type { Keyboard } from "./command-io.ts";
import type { Approval } from "./commands/approvals.ts";
import { clean } from "./terminal-text.ts";

/** The prompt of a person (A13). */
export type PromptPayload = Approval["payload"];

/** The person's decision, as the body of `POST /api/approvals/{id}`. */
export interface Decision {
  readonly decision: "approve" | "decline" | "answer";
  readonly args?: { readonly [key: string]: unknown };
  readonly answer?: unknown;
  readonly remember?: boolean;
  /** For the agent to read, beside the decision. */
  readonly note?: string;
}

/** Whether the call may be edited and remembered. */
export interface PromptRights {
  readonly mayEdit: boolean;
  readonly mayRemember: boolean;
}

/** What a prompt is shown with. */
type AskingContext = Pick<CommandContext, "api" | "paint" | "write">;

/** Asks the person for an answer. Undefined: the person left, and the prompt keeps waiting. */
export async function answerPrompt(
  prompt: PromptPayload,
  rights: PromptRights,
  keyboard: Keyboard,
  context: AskingContext,
): Promise<Decision | undefined> {
  switch (prompt.kind) {
    case "question": {
      const answer = await keyboard.ask(`${clean(prompt.question)}\n? `);
      return answer === undefined ? undefined : { decision: "answer", answer };
    }
    case "approval":
      return approve(prompt, rights, keyboard, context);
    case "form":
      return fillIn(prompt, keyboard, context.write);
  }
}

async function approve(
  { promptId, title, detail, tool, args }: Extract<PromptPayload, { kind: "approval" }>,
  { mayEdit, mayRemember }: PromptRights,
  keyboard: Keyboard,
  { api, paint, write }: AskingContext,
): Promise<Decision | undefined> {
  const preview = await previewOf(api, promptId);
  const more = detailBeside(preview, detail);
  write(
    `${clean(title)}\n  ${clean(tool)} ${clean(JSON.stringify(args))}\n${more === "" ? "" : `  ${clean(more)}\n`}${previewText(preview, paint)}`,
  );
  const choices = ["y approve", "n decline", ...(mayEdit ? ["e edit"] : []), ...(mayRemember ? ["a always"] : [])];
  for (;;) {
    const choice = (await keyboard.ask(`[${choices.join(", ")}] `))?.trim().toLowerCase();
    if (choice === undefined) return undefined;
    if (choice === "y" || choice === "yes") return { decision: "approve" };
    if (choice === "n" || choice === "no") return { decision: "decline" };
    if (choice === "a" && mayRemember) return { decision: "approve", remember: true };
    if (choice !== "e" || !mayEdit) continue;
    const text = await keyboard.ask("arguments as JSON: ");
    const edited = text === undefined ? undefined : objectIn(text);
    if (edited !== undefined) return { decision: "approve", args: edited };
    write("That is no JSON object.\n");
  }
}

function objectIn(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as { readonly [key: string]: unknown };
  } catch {
    // The caller shows the error to the person.
  }
  return undefined;
}

/** What a person types at a field to decline the form. */
const DECLINE = "/decline";

/** The person declined the form. */
class Declined {
  readonly decision: Decision;

  constructor(typed: string) {
    const note = typed.slice(DECLINE.length).trim();
    this.decision = { decision: "decline", ...(note !== "" && { note }) };
  }
}

async function fillIn(
  { title, description, steps }: Extract<PromptPayload, { kind: "form" }>,
  keyboard: Keyboard,
  write: (text: string) => void,
): Promise<Decision | undefined> {
  write(`${clean(title)}\n${description === "" ? "" : `${clean(description)}\n`}`);
  write(`(${DECLINE} declines it, with a note after it if you like)\n`);
  const answers: object[] = [];
  for (const step of steps) {
    for (const text of [step.title, step.description]) if (text) write(`${clean(text)}\n`);
    const values = await fieldsOf(step.schema, keyboard, write);
    if (values === undefined) return undefined;
    if (values instanceof Declined) return values.decision;
    answers.push(values);
  }
  return { decision: "answer", answer: answers.length === 1 ? answers[0] : answers };
}

interface Field {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

async function fieldsOf(
  schema: { readonly [key: string]: unknown },
  keyboard: Keyboard,
  write: (text: string) => void,
): Promise<object | Declined | undefined> {
  const properties = (schema.properties ?? {}) as { readonly [name: string]: Field };
  const required = Array.isArray(schema.required) ? schema.required : [];
  const values: Record<string, unknown> = {};
  // Without fields too there is a moment to decline.
  if (Object.keys(properties).length === 0) {
    const text = (await keyboard.ask("[Enter sends it] "))?.trim();
    return text === undefined ? undefined : isDecline(text) ? new Declined(text) : values;
  }
  for (const [name, field] of Object.entries(properties)) {
    const label = labelOf(name, field, required.includes(name));
    for (;;) {
      const text = (await keyboard.ask(label))?.trim();
      if (text === undefined) return undefined;
      if (isDecline(text)) return new Declined(text);
      if (text === "" && field.default !== undefined) values[name] = field.default;
      else if (text !== "") values[name] = typedValue(text, field);
      else if (required.includes(name)) {
        write("That one is needed.\n");
        continue;
      }
      break;
    }
  }
  return values;
}

function isDecline(text: string): boolean {
  return text === DECLINE || text.startsWith(`${DECLINE} `);
}

function labelOf(name: string, field: Field, required: boolean): string {
  const parts = [typeof field.title === "string" ? field.title : name];
  if (typeof field.description === "string") parts.push(`(${field.description})`);
  if (field.enum !== undefined) parts.push(`[${field.enum.map(String).join(", ")}]`);
  else if (field.type === "boolean") parts.push("[yes, no]");
  if (field.default !== undefined) parts.push(`default ${JSON.stringify(field.default)}`);
  else if (!required) parts.push("may be left out");
  return `${clean(parts.join(" "))}: `;
}

/** The typed text as a value of the field's type; the service validates it. */
function typedValue(text: string, { type, enum: choices }: Field): unknown {
  const chosen = choices?.find((choice) => String(choice) === text);
  if (chosen !== undefined) return chosen;
  if (type === "boolean") return /^(y|yes|true|1)$/i.test(text) ? true : /^(n|no|false|0)$/i.test(text) ? false : text;
  if ((type === "number" || type === "integer") && Number.isFinite(Number(text))) return Number(text);
  if (type !== "object" && type !== "array") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
