import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { PackedPackage } from "./pack.ts";

/** A running service that was installed from its packed form. */
export interface PackedService {
  /** What the terminal showed until the service was up, line by line. */
  readonly banner: readonly string[];
  /** Where it answers, without a path. */
  readonly address: string;
  /** Asks it to end and waits; answers the exit code, null when a signal ended it. */
  stop(): Promise<number | null>;
}

/** Starts the installed command below `target` on a free port, with a home of its own. Rejects with its output. */
export async function startPacked({ folder, manifest }: PackedPackage, target: string): Promise<PackedService> {
  const home = path.join(target, "home");
  await mkdir(home);
  const env = { ...process.env, SVC_HOME: home, SVC_CONFIG_DIR: path.join(home, "config") };
  const program = path.join(folder, manifest.bin?.["agent-service"] ?? "");
  const service = spawn(process.execPath, [program, "--port", "0"], {
    cwd: target,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(service, "exit") as Promise<[number | null]>;
  let errors = "";
  service.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const banner: string[] = [];
  let address: string | undefined;
  for await (const line of createInterface({ input: service.stdout })) {
    banner.push(line);
    address = /A2A\s+(http:\S+)\/a2a/.exec(line)?.[1] ?? address;
    // The last line of a first start.
    if (/no restart is needed$/.test(line)) break;
  }
  service.stdout.resume();
  if (address === undefined) throw new Error(`the packed service did not start:\n${banner.join("\n")}\n${errors}`);
  const stop = async (): Promise<number | null> => {
    service.kill("SIGTERM");
    const [code] = await exited;
    return code;
  };
  return { banner, address, stop };
}
