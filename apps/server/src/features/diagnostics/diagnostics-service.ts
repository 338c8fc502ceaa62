import { type AgentCore, inspectTask, mapTexts } from "@agent-service/agent-core/host";
import type { DiagnosticsService } from "@agent-service/operator-api";
import type { Logging } from "../../logging/index.ts";
import { logNews } from "./log-events.ts";

/** The service's own log and the rows of its store, for who looks for a fault. */
export function diagnosticsService(
  { db, journal, bus }: Pick<AgentCore, "db" | "journal" | "bus">,
  { ring, addSink }: Pick<Logging, "ring" | "addSink">,
  redact: (text: string) => string,
): DiagnosticsService {
  const news = logNews({ addSink }, bus);
  return {
    // Each line was redacted when it was logged; a secret that came to be known later is not in it any more either.
    logs(lines) {
      if (ring === undefined) return undefined;
      news.read();
      return mapTexts(ring.tail(lines), redact);
    },
    task: (id) => inspectTask({ db, statements: journal.statements }, id),
    redacted: (value) => mapTexts(value, redact),
  };
}
