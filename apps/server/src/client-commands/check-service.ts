/** Checks of the running service, or of what keeps it from running. */
import { packageVersion } from "../cli/index.ts";
import type { MachineFacts } from "./check-machine.ts";
import type { CommandContext } from "./command.ts";
import { failureOf } from "./command-failure.ts";
import { checkGoals } from "./doctor/check-goals.ts";
import { checkKnowledge } from "./doctor/check-knowledge.ts";
import { checkMcpServers } from "./doctor/check-mcp-servers.ts";
import { checkSchedules } from "./doctor/check-schedules.ts";
import { checkSkills } from "./doctor/check-skills.ts";
import { checkWatches } from "./doctor/check-watches.ts";
import { EXIT } from "./exit-code.ts";
import type { Finding, ReportFinding } from "./finding.ts";
import { span } from "./terminal-text.ts";

/** Milliseconds that a provider may take to respond. */
const REACH_MS = 5_000;
const SKEW_MS = 60_000;

/** Checks the service and, through it, the model; without a service, the model's address. */
export async function checkService(
  context: CommandContext,
  machine: MachineFacts,
  report: ReportFinding,
): Promise<void> {
  const { api, service } = context;
  const about = "service";
  const { url, urlFrom } = service;
  try {
    const status = await api.get("/api/runtime/status");
    const own = packageVersion();
    const differs = status.version === own ? "" : `, another version than this command (${own})`;
    report({ state: "ok", about, text: `answers at ${url} (${urlFrom}), version ${status.version}${differs}` });
    for (const text of status.warnings) report({ state: "warning", about, text });
    report(sandboxFinding(status.sandbox));
    await checkMcpServers(context, report);
    await checkSkills(context, report);
    await checkKnowledge(context, report);
    await checkSchedules(context, report);
    await checkWatches(context, report);
    await checkGoals(context, report);
    const { rejected } = await api.get("/api/config");
    if (rejected !== null) {
      const remedy = "mend the file: it runs by the settings of before";
      report({ state: "failure", about: "config", text: `an edit was refused: ${rejected.reason}`, remedy });
    }
    if (status.model.provider === "scripted") {
      const remedy = "agent-service connect connects a language model";
      report({
        state: "warning",
        about: "model",
        text: "the scripted model leads, which is not a language model",
        remedy,
      });
    } else await checkModel(context, `${status.model.provider}:${status.model.name}`, report);
  } catch (error) {
    const failure = failureOf(error, url);
    if (failure === undefined) throw error;
    report({ state: "failure", about, text: failure.message, ...(remedyOf(failure.exitCode, machine) ?? {}) });
    if (failure.exitCode !== EXIT.unreachable) return;
    for (const finding of machine.servers ?? []) report(finding);
    await checkProvider(machine, report);
  }
}

function remedyOf(code: number, { owner }: MachineFacts): { readonly remedy: string } | undefined {
  if (code !== EXIT.unreachable || owner === undefined) return undefined;
  return {
    remedy: `process ${owner.pid} on ${owner.host} owns the store, so a service runs: name its address with --url (its log has it)`,
  };
}

async function checkModel(
  { api, flags, io, json }: CommandContext,
  name: string,
  report: ReportFinding,
): Promise<void> {
  const about = "model";
  if (flags["no-model"] === true) return report({ state: "ok", about, text: `${name}; not called` });
  const { stderr } = io;
  const shows = stderr.terminal && !json;
  if (shows) stderr.write(`Asking ${name} …\r`);
  const trial = await api.post("/api/config/test-model", { body: {} });
  if (shows) stderr.write("\u001b[2K");
  if (!trial.ok) {
    const remedy = "agent-service connect connects another one; agent-service config get providers shows what is set";
    return report({ state: "failure", about, text: `${name}: ${trial.error}`, remedy });
  }
  report({ state: "ok", about, text: `${name} answers in ${span(trial.answer?.ms ?? null)} and calls tools` });
}

/** Without the service only the provider's address can be checked: any response will do. */
async function checkProvider({ lead }: MachineFacts, report: ReportFinding): Promise<void> {
  const about = "model";
  if (lead === undefined) return;
  if (lead.baseUrl === "") {
    const remedy = "agent-service connect connects a language model, once the service runs";
    return report({
      state: "warning",
      about,
      text: `${lead.name} would lead`,
      ...(lead.name.startsWith("the scripted") && { remedy }),
    });
  }
  try {
    const asked = Date.now();
    const response = await fetch(lead.baseUrl, { signal: AbortSignal.timeout(REACH_MS) });
    await response.body?.cancel();
    report({ state: "ok", about, text: `${lead.name} would lead; ${new URL(lead.baseUrl).host} responds` });
    const skew = Date.parse(response.headers.get("date") ?? "") - asked;
    if (Math.abs(skew) <= SKEW_MS || Number.isNaN(skew)) return;
    const text = `${span(Math.abs(skew))} ${skew > 0 ? "behind" : "before"} the provider's`;
    report({ state: "warning", about: "clock", text, remedy: "set the machine's clock" });
  } catch {
    const remedy = "start it, or mend the address: agent-service config explain providers";
    report({ state: "failure", about, text: `${lead.name}: no response from ${lead.baseUrl}`, remedy });
  }
}

interface Sandbox {
  readonly provider: string;
  readonly usable: boolean;
  readonly reason: string | null;
}

/** Whether commands can be confined, and how to get there. */
export function sandboxFinding({ provider, usable, reason }: Sandbox): Finding {
  const about = "sandbox";
  if (usable) return { state: "ok", about, text: `commands run in ${provider}` };
  const text = `commands run without a sandbox: ${reason ?? "none was looked for"}`;
  const remedy = SANDBOX_REMEDIES[provider];
  return { state: "warning", about, text, ...(remedy !== undefined && { remedy }) };
}

const SANDBOX_REMEDIES: Readonly<Record<string, string>> = {
  bubblewrap:
    "install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap) and restart; where it is installed, the system must let users make namespaces",
};
