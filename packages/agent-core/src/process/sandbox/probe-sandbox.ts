import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { bubblewrap } from "./bubblewrap.ts";
import type { Sandbox, SandboxState } from "./sandbox.ts";
import { seatbelt } from "./seatbelt.ts";

/** Only a hang takes so long. */
const PROBE_MS = 10_000;
const NOTHING = { writable: [], readOnly: [], pinned: [], hidden: [], network: false };
const runFile = promisify(execFile);

async function find(program: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, program);
    const found = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  return undefined;
}

async function tried(sandbox: Sandbox): Promise<SandboxState> {
  const [program, ...args] = sandbox.wrap(["/bin/sh", "-c", "exit 0"], NOTHING, "/");
  try {
    await runFile(program, args, { timeout: PROBE_MS, env: {}, cwd: tmpdir() });
    return { usable: true, sandbox };
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    const [line = ""] = (stderr === "" ? message : stderr).trim().split("\n");
    return { usable: false, provider: sandbox.provider, reason: line.slice(0, 300) };
  }
}

/** Looks for this system's sandbox in the folders of `path` and tries it. Never rejects. */
export async function probeSandbox(path: string, platform: NodeJS.Platform = process.platform): Promise<SandboxState> {
  if (platform === "darwin") return tried(seatbelt);
  if (platform !== "linux") return { usable: false, provider: "none", reason: `there is none for ${platform}` };
  const program = await find("bwrap", path);
  if (program === undefined) {
    return { usable: false, provider: "bubblewrap", reason: "bubblewrap (bwrap) is not installed" };
  }
  return tried(bubblewrap(program));
}
