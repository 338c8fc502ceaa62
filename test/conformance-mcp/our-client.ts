/**
 * `node our-client.ts <address>`: what the conformance suite tests as a client. A service is given the suite's server, and its
 * operator signs in where it asks for that, calls each tool and answers what a tool asks.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startTestService } from "../../apps/server/src/testing/test-service.ts";

interface Called {
  readonly input_required?: { readonly prompt_id: string; readonly kind: string; readonly steps?: readonly Step[] };
  readonly task_id: string;
}
interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}
interface Step {
  readonly schema: { readonly properties?: { readonly [name: string]: Field } };
}
interface Tool {
  readonly name: string;
  readonly full_name: string;
  readonly state: string;
  readonly input_schema: Step["schema"] & { readonly required?: readonly string[] };
}
interface Waiting {
  readonly id: string;
  readonly task_id: string;
  readonly payload: { readonly kind: string; readonly steps?: readonly Step[] };
}
interface Task {
  readonly result: { readonly status: { readonly state: string } };
}
interface Detail {
  readonly state: string;
  readonly auth: string;
  readonly detail: string | null;
  readonly tools: readonly Tool[];
}
/** What the suite tells about a scenario. */
interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
}

/** After that many sign-ins a person gives up. */
const MOST_SIGN_INS = 2;
const MOST_ANSWERS = 10;
const LOOK_MS = 20;
/** Its client's document, as far as the suite accepts one. */
const PUBLIC_URL = "https://conformance-test.local";

const [address = ""] = process.argv.slice(2);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}") as Context;
const byItself = scenario === "auth/client-credentials-basic";
const oauth = context.client_id === undefined ? {} : { client_id: context.client_id };
const server = {
  ...{ name: "suite", url: address, pinning: "off" },
  oauth: { ...oauth, ...(byItself && { grant: "client_credentials" }) },
};
const secrets = context.client_secret === undefined ? {} : { suite: { OAUTH_CLIENT_SECRET: context.client_secret } };

/** The schema of a tool, for another that wants to see what was read of it. */
const ECHOED_TOOL = "json_schema_2020_12_tool";
let echoed: readonly object[] = [];
const service = await startTestService({
  config: `mcp: ${JSON.stringify({ enabled: true, timeout_seconds: 60, call_timeout_seconds: 60, servers: [server], secrets })}\n`,
  env: { A2A_PUBLIC_URL: PUBLIC_URL },
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

async function settled(): Promise<Detail> {
  for (;;) {
    const detail = await ask<Detail>("GET", "/api/mcp/servers/suite");
    if (!["idle", "starting", "backoff"].includes(detail.state)) return detail;
    await sleep(LOOK_MS);
  }
}

/** The person of a sign-in, whose browser is sent back at once. */
async function signIn(): Promise<void> {
  const redirectUri = "http://127.0.0.1:9/callback";
  const { url } = await ask<{ url: string }>("POST", "/api/mcp/servers/suite/auth", { redirect_uri: redirectUri });
  const page = await fetch(url, { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? redirectUri);
  const params = Object.fromEntries(back.searchParams);
  await ask("POST", "/api/mcp/servers/suite/auth/finish", { params });
}

function answerTo({ kind, steps = [] }: NonNullable<Called["input_required"]>): object {
  if (kind !== "form") return { decision: "approve" };
  const fields = Object.entries(steps[0]?.schema.properties ?? {});
  const values = fields.map(([name, field]) => [name, field.default ?? sampleOf(field)]);
  return { decision: "answer", answer: Object.fromEntries(values) };
}

function sampleOf({ type, enum: choices }: Field): unknown {
  if (choices !== undefined) return choices[0];
  return { boolean: true, number: 1, integer: 1, array: [], object: {} }[type ?? ""] ?? "yes";
}

/** Each call that the suite wants of a tool, else one with what its name asks for. */
function argumentsFor({ name, input_schema: schema }: Tool): readonly object[] {
  const asked = context.toolCalls?.filter((call) => call.name === name) ?? [];
  if (asked.length > 0) return asked.map((call) => call.arguments);
  if (name === "json_schema_echo") return echoed.map((one) => ({ schema: one }));
  const required = schema.required ?? [];
  return [Object.fromEntries(required.map((field) => [field, sampleOf(schema.properties?.[field] ?? {})]))];
}

async function callTool(tool: Tool): Promise<void> {
  for (const args of argumentsFor(tool))
    await callWith(tool, args).catch((error: unknown) => console.log(String(error)));
}

async function callWith({ name, full_name }: Tool, args: object): Promise<void> {
  let called = await ask<Called>("POST", `/api/tools/${full_name}/call`, { args });
  for (let answers = 0; called.input_required !== undefined && answers < MOST_ANSWERS; answers++) {
    const { prompt_id: id } = called.input_required;
    await ask("POST", `/api/approvals/${id}`, answerTo(called.input_required));
    called = { ...called, input_required: await nextPrompt(called.task_id, id) };
  }
  console.log(name, JSON.stringify(called));
}

/** What a call asks next, once its answer was taken. */
async function nextPrompt(id: string, answered: string): Promise<Called["input_required"]> {
  for (;;) {
    const { approvals } = await ask<{ approvals: readonly Waiting[] }>("GET", "/api/approvals");
    const next = approvals.find((one) => one.task_id === id && one.id !== answered);
    if (next !== undefined) return { ...next.payload, prompt_id: next.id };
    const { result } = await ask<Task>("POST", "/a2a", { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id } });
    if (["completed", "failed", "canceled"].includes(result.status.state)) return undefined;
    await sleep(LOOK_MS);
  }
}

try {
  const done = new Set<string>();
  for (let signIns = 0; ; signIns++) {
    const { state, detail, tools } = await settled();
    console.log(state, detail);
    echoed = tools.filter(({ name }) => name === ECHOED_TOOL).map((tool) => tool.input_schema);
    for (const tool of state === "ready" ? tools : []) {
      if (tool.state !== "on" || done.has(tool.name)) continue;
      await callTool(tool);
      if ((await settled()).auth !== "needed") done.add(tool.name);
    }
    if ((await settled()).auth !== "needed" || signIns === MOST_SIGN_INS) break;
    await signIn();
  }
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  await service.stop();
}
process.exit();
