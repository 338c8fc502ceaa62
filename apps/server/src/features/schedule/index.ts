import { type Schedules, schedule as scheduling } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";
import { defineServiceFeature, type ServiceHost } from "../../service-feature/index.ts";
import type { ServerSettings } from "../../settings/index.ts";
import { jobMirror } from "./job-mirror.ts";
import { isLoopback, runElsewhere } from "./run-elsewhere.ts";
import { jobRows, schedulerService } from "./scheduler-service.ts";

/** Scheduled jobs and the ledger of their slots. */
export const schedule = defineServiceFeature({
  engine(host) {
    const { settings } = host;
    const { schedulerInvokeUrl: url, schedulerFireTimeoutMs: timeoutMs } = settings.environment;
    const elsewhere =
      url === undefined || isOwn(url, settings)
        ? undefined
        : runElsewhere({ url, token: () => settings.credentials.bearer, timeoutMs });
    return scheduling({ overdueMs: timeoutMs, elsewhere: () => elsewhere, ...mirrored(host) });
  },
  services({ schedules }, { settings, redact, clock }) {
    const agentName = settings.environment.agentName;
    return { scheduler: schedulerService({ schedules, agentName, redact, now: () => clock.now() }) };
  },
  flags: ({ settings }) => ({ scheduler: settings.middleware.scheduler }),
});

function mirrored({ settings, redactor, logging }: ServiceHost) {
  const { schedulerFolder: folder, environment } = settings;
  if (folder === undefined) return {};
  const { agentName } = environment;
  const redact = (text: string): string => redactor.text(text);
  const rows = (schedules: Schedules) => schedules.list().map(jobRows({ schedules, agentName, redact }).rowOf);
  return { onChange: jobMirror({ folder, makeFolder, rows, warn: (message) => logging.logger.warn(message) }) };
}

/** Slots are then run in this process, in the commit that writes them. */
function isOwn(url: string, { bind }: Pick<ServerSettings, "bind">): boolean {
  const target = new URL(url);
  return isLoopback(target) && bind.port !== 0 && Number(target.port || 80) === bind.port;
}
