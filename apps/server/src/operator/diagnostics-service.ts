import { type AgentCore, inspectTask, mapTexts } from "@agent-service/agent-core";
import type { DiagnosticsService } from "@agent-service/operator-api";
import type { Logging } from "../logging/index.ts";

/** The service's own log and the rows of its store, for who looks for a fault. */
export function diagnosticsService(
  { db, journal }: Pick<AgentCore, "db" | "journal">,
  { ring }: Pick<Logging, "ring">,
  redact: (text: string) => string,
): DiagnosticsService {
  return {
    // Each line was redacted when it was logged; a secret that came to be known later is not in it any more either.
    logs: (lines) => ring && mapTexts(ring.tail(lines), redact),
    task: (id) => inspectTask({ db, statements: journal.statements }, id),
    redacted: (value) => mapTexts(value, redact),
  };
}
