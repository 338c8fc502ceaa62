import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** What configures the service from outside: a test must not depend on who runs it. */
const settings = /^(SVC|A2A|AGENT|MODEL|LOG|LANGFUSE|INFISICAL)_/;

/**
 * Runs once before all tests (N3): they see none of this machine's settings, and a test that forgets to choose a
 * home or a configuration folder gets an empty one that is removed afterwards, never the person's own.
 */
export default function temporaryHome(): () => void {
  for (const name of Object.keys(process.env)) if (settings.test(name)) delete process.env[name];
  const folder = mkdtempSync(path.join(tmpdir(), "agent-service-tests-"));
  process.env.SVC_HOME = path.join(folder, "home");
  process.env.SVC_CONFIG_DIR = path.join(folder, "config");
  // Every store a test opens starts a thread that loads the engine's sources: stripped of types once, not each time.
  process.env.NODE_COMPILE_CACHE ??= new URL("../../.cache/compile", import.meta.url).pathname;
  return () => rmSync(folder, { recursive: true, force: true });
}
