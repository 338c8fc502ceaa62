import { spawn } from "node:child_process";

/**
 * Runs turbo tasks (`node run-turbo.ts build`) without turbo's telemetry and, for builds, without its chatter: what a
 * build says is shown only when it fails. Flags after the task's name go to turbo.
 */
const [task = "build", ...flags] = process.argv.slice(2);
const isQuiet = task === "build";
const turbo = new URL("./node_modules/turbo/bin/turbo", import.meta.url).pathname;
const logs = `--output-logs=${isQuiet ? "errors-only" : "full"}`;
const child = spawn(process.execPath, [turbo, "run", task, "--ui=stream", logs, ...flags], {
  cwd: import.meta.dirname,
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
  stdio: isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
});

const said: Buffer[] = [];
child.stdout?.on("data", (chunk: Buffer) => said.push(chunk));
child.stderr?.on("data", (chunk: Buffer) => said.push(chunk));
const notice = setTimeout(() => console.error("Building; the next start reuses what is built."), 1500);
if (!isQuiet) clearTimeout(notice);

// Ctrl-C reaches turbo as well (same process group): stay until it has ended its tasks.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.once("error", (error) => {
  console.error(`turbo could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.once("close", (code) => {
  clearTimeout(notice);
  if (code !== 0 && isQuiet) process.stderr.write(Buffer.concat(said));
  process.exitCode = code ?? 1;
});
