/** Starts the process, and stops it as a signal does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundledService } from "../bundled-service.ts";
import type { SecretsServiceReport } from "./secrets-service.ts";

/** The process at work. */
export interface SecretsProcess {
  readonly url: string;
  /** Stops it; resolves with everything it wrote to the terminal. */
  stop(): Promise<string>;
}

/** Starts it with these variables. */
export async function startSecretsProcess(env: { readonly [name: string]: string }): Promise<SecretsProcess> {
  const { PATH, HOME, TMPDIR } = process.env;
  const compiled = process.env.NODE_COMPILE_CACHE ?? path.join(tmpdir(), "proof-secrets-compiled");
  const child = spawn(process.execPath, [bundledService("secrets-service")], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE: compiled, ...env },
  });
  let wrote = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      wrote += chunk;
    });
  const closed = once(child, "close");
  const said = async (): Promise<SecretsServiceReport> => {
    const gone = closed.then(() => [undefined]);
    const [message] = (await Promise.race([once(child, "message"), gone])) as [SecretsServiceReport | undefined];
    if (message === undefined) throw new Error(`the service ended: ${wrote.slice(-2_000)}`);
    return message;
  };
  const first = await said();
  if (first.kind !== "ready") throw new Error("the service did not say where it listens");
  return {
    url: `http://127.0.0.1:${first.port}`,
    async stop() {
      child.send("stop");
      await closed;
      return wrote;
    },
  };
}
