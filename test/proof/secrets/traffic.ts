/** Everything that is asked of the service, and every byte it answers. */
import type { Ask } from "./ask.ts";
import { handsTraffic, type SecretProject } from "./hands-traffic.ts";
import { BATCH, LEAKING_TOOLS } from "./leaking-tools.ts";
import { mcpTraffic } from "./mcp-traffic.ts";
import type { Plan } from "./planted.ts";
import { REPEATED, WAYS } from "./talking-gateway.ts";

/** An answer, whole: status, headers and body. */
export interface HeardAnswer {
  /** What was asked, for the report; without secrets. */
  readonly asked: string;
  readonly heard: string;
  readonly body: string;
}

/** What is asked of. */
export interface TrafficParts {
  readonly url: string;
  readonly plan: Plan;
  /** Where webhooks go. */
  readonly hook: string;
  /** Said by the caller, so it is content and stays. */
  readonly canary: string;
  readonly project: SecretProject;
}

const PARALLEL = 8;

/** Asks everything. The answers are in no order that means anything. */
export async function allTraffic(parts: TrafficParts): Promise<readonly HeardAnswer[]> {
  const answers: HeardAnswer[] = [];
  const ask = asker(parts, answers);
  const events = await followEvents(parts);
  await inParallel([...conversations(parts, ask), ...refusals(parts, ask), ...strangers(parts, ask)]);
  await inParallel(handsTraffic(parts.project, ask));
  await mcpTraffic(ask, parts.plan.all.find(({ kind }) => kind === "submitted")?.value ?? "");
  const tasks = answers.flatMap(({ body }) => /"id":"([0-9a-f-]{36})"/.exec(body)?.[1] ?? []);
  await inParallel([...readings(ask, tasks)]);
  await inParallel(await operatorApi(parts, ask, tasks[0] ?? "none"));
  answers.push(await events.end());
  return answers;
}

function asker({ url, plan }: TrafficParts, answers: HeardAnswer[]): Ask {
  return async (asked, path, { method, headers, body } = {}) => {
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      redirect: "manual",
      headers: { authorization: `Bearer ${plan.token}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const endless = method === undefined && body === undefined && isEventStream(response);
    const text = endless ? await beginning(response) : await response.text();
    const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    answers.push({ asked, heard: `${response.status}\n${head}\n${text}`, body: text });
    return text;
  };
}

/** Everything the service tells of what changes, from now until `end`. */
async function followEvents({ url, plan }: TrafficParts): Promise<{ end(): Promise<HeardAnswer> }> {
  const headers = { authorization: `Bearer ${plan.token}` };
  const stopped = new AbortController();
  const { body } = await fetch(`${url}/api/events`, { headers, signal: stopped.signal });
  let heard = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of body ?? []) heard += decoder.decode(piece, { stream: true });
  })().catch(() => {});
  return {
    async end() {
      stopped.abort();
      await reading;
      return { asked: "GET /api/events from the beginning", heard, body: heard };
    },
  };
}

const isEventStream = (response: Response): boolean =>
  response.headers.get("content-type")?.startsWith("text/event-stream") === true;

/** What a stream without an end says at first: everything it repeats comes at once. */
async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const timer = setTimeout(() => void reader.cancel(), 500);
  let text = "";
  const decoder = new TextDecoder();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    text += decoder.decode(piece.value, { stream: true });
  clearTimeout(timer);
  return text;
}

async function inParallel(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = [...work];
  const run = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: PARALLEL }, run));
}

const rpc = (method: string, params: object): object => ({ jsonrpc: "2.0", id: 1, method, params });

function message(text: string, more: object = {}): object {
  return { message: { role: "user", parts: [{ kind: "text", text }] }, ...more };
}

/** Every tool tells every known secret: over A2A as a stream, whole, with a webhook, and over the chat wire. */
function conversations({ plan, hook, canary }: TrafficParts, ask: Ask): (() => Promise<unknown>)[] {
  const calls = LEAKING_TOOLS.flatMap((tool) =>
    Array.from({ length: Math.ceil(plan.known.length / BATCH) }, (_, batch) => ({ tool, batch })),
  );
  return calls.map(({ tool, batch }) => async () => {
    const text = `/call ${tool} ${JSON.stringify({ from: batch * BATCH })}`;
    const asked = `${tool} ${batch}`;
    if (batch % 3 === 2) {
      const body = { messages: [{ role: "user", content: text }], stream: batch % 2 === 0, user: asked };
      return ask(`${asked} over chat`, "/v1/chat/completions", { body });
    }
    const configuration = batch % 3 === 1 ? { pushNotificationConfig: { url: hook } } : {};
    const params = message(tool === "prints" ? `${text}\n${canary}` : text, { configuration });
    const stream = await ask(asked, "/a2a", { body: rpc("message/stream", params) });
    const taskId = /"id":"([0-9a-f-]{36})"/.exec(stream)?.[1];
    if (!tool.startsWith("asks") || taskId === undefined) return undefined;
    const reply = { message: { role: "user", taskId, parts: [{ kind: "text", text: "yes" }] } };
    return ask(`${asked}, answered`, "/a2a", { body: rpc("message/send", reply) });
  });
}

/** Every way a model's gateway can fail, with every known secret in it; as the operator and as a peer. */
function refusals({ plan }: TrafficParts, ask: Ask): (() => Promise<unknown>)[] {
  const rounds = Math.ceil(plan.known.length / REPEATED);
  return Array.from({ length: rounds * 2 }, (_, index) => async () => {
    const way = WAYS[index % WAYS.length] ?? "400";
    const model = `c${index % 5}:${way}-${index % rounds}`;
    const headers: Record<string, string> = index % 4 === 3 ? { authorization: `Bearer ${plan.federation}` } : {};
    if (index % 3 === 2)
      return ask(`chat refused, ${way}`, "/v1/chat/completions", {
        headers,
        body: { model, messages: [{ role: "user", content: "hello" }], stream: index % 2 === 0 },
      });
    const params = message("hello", { metadata: { model } });
    return ask(`refused, ${way}`, "/a2a", { headers, body: rpc("message/send", params) });
  });
}

const DOORS = ["/a2a", "/api/runtime/status", "/v1/models", "/healthz", "/nothing", "/.well-known/agent-card.json"];

/** Secrets in the headers and addresses of requests that get nowhere, or do and need none of it. */
function strangers({ plan }: TrafficParts, ask: Ask): (() => Promise<unknown>)[] {
  const sent = plan.all.filter(({ kind }) => kind === "header").map(({ value }) => value);
  return sent.flatMap((secret, index) => {
    const door = DOORS[index % DOORS.length] ?? "/a2a";
    const basic = Buffer.from(`user:${secret}`).toString("base64");
    const headers: Record<string, string>[] = [
      { authorization: `Bearer ${secret}` },
      { authorization: `Basic ${basic}` },
      { authorization: "", "x-api-key": secret },
      { cookie: `session=${secret}`, "x-request-id": secret },
      { "x-a2a-notification-token": secret, "proxy-authorization": `Bearer ${secret}` },
    ];
    return [
      ...headers.map((one) => () => ask(`${door} with a header`, door, { headers: one })),
      () => ask(`${door} with a query`, `${door}?token=${secret}&api_key=${secret}`),
      () => ask(`a path`, `/nothing/${secret}`, { method: "POST", body: { token: secret } }),
    ];
  });
}

/** What is said of a task afterwards. */
function readings(ask: Ask, tasks: readonly string[]): (() => Promise<unknown>)[] {
  const v1 = { "a2a-version": "1.0" };
  return [
    ...tasks.map((id) => () => ask("tasks/get", "/a2a", { body: rpc("tasks/get", { id, historyLength: 50 }) })),
    () => ask("ListTasks", "/a2a", { headers: v1, body: rpc("ListTasks", { includeArtifacts: true, pageSize: 100 }) }),
    ...["/metrics", "/healthz", "/v1/models", "/app/", "/.well-known/agent-card.json", "/a2a/extendedAgentCard"].map(
      (path) => () => ask(path, path),
    ),
  ];
}

interface OpenApi {
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
}

/** Every operation of the operator API: readings of everything, and what is refused. Those that save come last. */
async function operatorApi({ plan }: TrafficParts, ask: Ask, task: string): Promise<(() => Promise<unknown>)[]> {
  const document = JSON.parse(await ask("openapi", "/api/openapi.json")) as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, task) })),
  );
  const sent = plan.all.filter(({ kind }) => kind === "submitted").map(({ value }) => value);
  const bodies = (secret: string): object[] => [
    { api_key: secret, provider: "c0", model: "400-0", client_secret: secret, host: "http://127.0.0.1:9" },
    {
      ...{
        api_key: [secret],
        client_secret: { value: secret },
        unknown: secret,
        config: { model: { name: [secret] } },
      },
      updates: { "model.temperature": secret, "model.api_key": [secret], "auth.token": secret, nothing: secret },
    },
  ];
  const isRead = ({ method }: { method: string }): boolean => method === "GET";
  return [
    ...operations.filter(isRead).map(
      ({ path }) =>
        () =>
          ask(`GET ${path}`, path),
    ),
    ...operations
      .filter((one) => !isRead(one))
      .flatMap(({ method, path }, index) =>
        sent.flatMap((secret) =>
          bodies(secret).map(
            (body) => () => ask(`${method} ${path}`, path, { method, body, headers: { "x-n": `${index}` } }),
          ),
        ),
      ),
  ];
}
