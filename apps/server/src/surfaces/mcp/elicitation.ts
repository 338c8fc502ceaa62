/** What a task asks a person, as an MCP form, and the form's answer as the reply to the prompt (M17, A13). */
import { hitlPayload, type PendingPrompt } from "@agent-service/agent-core/host";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";

type FormSchema = ElicitRequestFormParams["requestedSchema"];
type Fields = { readonly [name: string]: unknown };

/** Characters of a call's arguments that are shown. */
const SHOWN_ARGS = 4_000;
/** Of a field in a form of MCP, which knows texts, numbers and choices. */
const FIELD_KEYS: readonly string[] = [
  ...["type", "title", "description", "minLength", "maxLength", "format", "minimum", "maximum", "default", "enum"],
];
const FIELD_TYPES: readonly unknown[] = ["string", "number", "integer", "boolean"];

/** The form of a prompt; undefined: MCP's forms cannot ask it. `rejection`: why the last answer was not taken. */
export function formOf(
  prompt: PendingPrompt,
  rejection: string | undefined,
): { readonly message: string; readonly requestedSchema: FormSchema } | undefined {
  const payload = hitlPayload(prompt);
  const message = (...lines: readonly string[]): string =>
    [rejection, ...lines].filter((line) => line !== undefined && line !== "").join("\n");
  if (payload.kind === "question") {
    return {
      message: message(payload.question),
      requestedSchema: objectOf({ answer: { type: "string" } }, ["answer"]),
    };
  }
  if (payload.kind === "approval") {
    const args = (JSON.stringify(payload.args) ?? "").slice(0, SHOWN_ARGS);
    const decision = { type: "string", title: "Decision", enum: ["approve", "decline"] };
    const note = { type: "string", title: "Note", description: "For the agent to read." };
    return {
      message: message(payload.title, payload.detail, `${payload.tool} ${args}`),
      requestedSchema: objectOf({ decision, note }, ["decision"]),
    };
  }
  const [step] = payload.steps;
  const requestedSchema = payload.steps.length === 1 && step ? flatSchema(step.schema) : undefined;
  return requestedSchema && { message: message(payload.title, payload.description), requestedSchema };
}

/** The data part that answers a prompt; undefined: a person closed the form, and the prompt waits on. */
export function replyOfForm({ promptId, payload }: PendingPrompt, response: unknown): object | undefined {
  if (!isFields(response)) return undefined;
  const { action, content } = response;
  if (action === "accept" && isFields(content)) {
    if (payload.kind === "question")
      return { promptId, answer: typeof content.answer === "string" ? content.answer : "" };
    if (payload.kind === "form") return { promptId, answer: content };
    const note = typeof content.note === "string" ? { note: content.note } : {};
    return { promptId, answer: content.decision === "approve" ? "approve" : "decline", ...note };
  }
  if (action !== "decline" || payload.kind === "question") return undefined;
  return payload.kind === "form" ? { promptId, decline: true } : { promptId, answer: "decline" };
}

function flatSchema(schema: unknown): FormSchema | undefined {
  if (!isFields(schema) || !isFields(schema.properties)) return undefined;
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    if (!isFields(field) || !FIELD_TYPES.includes(field.type)) return undefined;
    if (field.enum !== undefined && !(Array.isArray(field.enum) && field.enum.every((one) => typeof one === "string")))
      return undefined;
    return [name, Object.fromEntries(Object.entries(field).filter(([key]) => FIELD_KEYS.includes(key)))] as const;
  });
  if (!fields.every((field) => field !== undefined)) return undefined;
  const { required } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return objectOf(Object.fromEntries(fields), names);
}

function objectOf(properties: Fields, required: readonly string[]): FormSchema {
  return { type: "object", properties, ...(required.length > 0 && { required }) } as FormSchema;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
