import { type AgentCore, inspectTask, mapTexts } from "@agent-service/agent-core/host";
import type { DiagnosticsService } from "@agent-service/operator-api";
import type { Logging } from "../../logging/index.ts";
import { logNotifications } from "./log-events.ts";

/** The service's log and the rows of its store, for fault finding. */
export function diagnosticsService(
  { db, journal, bus }: Pick<AgentCore, "db" | "journal" | "bus">,
  { ring, addSink }: Pick<Logging, "ring" | "addSink">,
  redact: (text: string) => string,
): DiagnosticsService {
  const notifications = logNotifications({ addSink }, bus);
  return {
    // Each line was redacted when it was logged; a secret that became known later is redacted when it is read.
    logs(lines) {
      if (ring === undefined) return undefined;
      notifications.read();
      return mapTexts(ring.tail(lines), redact);
    },
    task: (id) => inspectTask({ db, statements: journal.statements }, id),
    redacted: (value) => mapTexts(value, redact),
  };
}
