/** What a server asks of a person, as the engine asks it, and the person's answer as the protocol has it (M10). */
import { type Park, type ParkAnswer, park } from "@agent-service/plugin-sdk";
import type { JsonObject } from "../../json/index.ts";
import { isSecretName } from "../../redaction/index.ts";
import { cleanHead } from "../../tool/index.ts";
import { withoutInvisible } from "../definition/index.ts";

const MAX_MESSAGE = 4_000;
const MAX_URL = 2_000;

/** Where a question comes from. */
export interface AskingTool {
  readonly server: string;
  readonly tool: string;
  /** The question is lost with the process, and with it whether the call happened. */
  readonly isHeld: boolean;
  /** Takes secrets out of what the server says. */
  redact(text: string): string;
}

/** How the protocol knows that nobody can be asked. */
export const CANCELED: JsonObject = { action: "cancel" };

const HELD =
  "The server waits for the answer on an open connection: if the service restarts before, it is not known whether the call happened.";

const SECRET =
  "It seems to ask for a password, a key or another secret. What you answer is kept with the conversation and sent to the server as it stands: decline where you do not want that. Servers must not ask for secrets in forms; a credential of the server belongs among its settings.";

/** Whether a field of a form says that its value is a secret. What servers call it in words is looked at word by word. */
function asksForSecret(schema: JsonObject): boolean {
  const { properties } = schema;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) return false;
  return Object.entries(properties).some(([name, field]) => {
    const { title, format } = (field ?? {}) as JsonObject;
    const words = typeof title === "string" ? title.trim().replaceAll(/\W+/g, "_") : "";
    return format === "password" || isSecretName(name) || isSecretName(words);
  });
}

function textOf(value: unknown, most: number, redact: (text: string) => string): string {
  return typeof value === "string" ? cleanHead(value, most, (text) => redact(withoutInvisible(text))) : "";
}

/** The address of a question, where a person may open it: https, or http on this machine. */
function openableUrl(value: unknown): URL | undefined {
  const url = typeof value === "string" && value.length <= MAX_URL ? URL.parse(value) : null;
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback) ? url : undefined;
}

/** What a person is asked; undefined: it cannot be asked, and the answer is `CANCELED`. */
export function parkOf(params: JsonObject, { server, tool, isHeld, redact }: AskingTool): Park | undefined {
  const message = textOf(params.message, MAX_MESSAGE, redact);
  const title = `${tool} of ${server} asks`;
  if (params.mode === "url") {
    const url = openableUrl(params.url);
    if (url === undefined) return undefined;
    const detail = [message, `Open ${url.href} on ${url.host}, then approve.`, ...(isHeld ? [HELD] : [])];
    return park.approval({ title, detail: detail.filter((line) => line !== "").join("\n\n") });
  }
  const { requestedSchema } = params;
  if (typeof requestedSchema !== "object" || requestedSchema === null || Array.isArray(requestedSchema))
    return undefined;
  const schema = requestedSchema as JsonObject;
  const description = [message, ...(asksForSecret(schema) ? [SECRET] : []), ...(isHeld ? [HELD] : [])];
  return park.form({ title, description: description.filter((line) => line !== "").join("\n\n"), steps: [{ schema }] });
}

/** The person's answer as the protocol has it. */
export function elicitResult(answer: ParkAnswer): JsonObject {
  if (answer.kind === "approval") return { action: answer.approved ? "accept" : "decline" };
  if (answer.kind !== "form") return CANCELED;
  if (answer.declined === true) return { action: "decline" };
  return { action: "accept", content: answer.values as JsonObject };
}
