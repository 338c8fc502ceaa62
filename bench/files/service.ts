/** The built service with projects, asked over HTTP. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Server, startServer } from "../process.ts";
import { serviceMain } from "../targets.ts";

/** Starts it with this configuration on a home; its model makes the calls that it is asked for. */
export function startService(home: string, configuration: string): Promise<Server> {
  const config = join(home, "config");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "agent-config.yaml"), configuration);
  const env = { SVC_HOME: home, SVC_CONFIG_DIR: config, SVC_MODEL: "scripted:demo" };
  return startServer({ args: [serviceMain, "--port", "0"], port: /A2A +http:\/\/127\.0\.0\.1:(\d+)/, env });
}

/** One request of the operator API. */
export async function ask(port: number, path: string, body?: object): Promise<unknown> {
  const sent = body && {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  };
  const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, sent);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** A turn that makes one call; its answer. */
export async function turn(port: number, tool: string, args: object): Promise<string> {
  const answered = (await ask(port, "chat", { message: `/call ${tool} ${JSON.stringify(args)}` })) as {
    readonly response?: string;
  };
  return answered.response ?? "";
}
