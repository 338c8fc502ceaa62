/** Checks of watches, as the running service has them. */
import type { CommandContext } from "../command.ts";
import type { Finding, ReportFinding } from "../finding.ts";

const about = "watches";
/** Watches that are looked at. */
const MOST = 500;

/** What is looked at of a watch. */
export interface KnownWatch {
  readonly id: string;
  readonly status: string;
  readonly flapping: boolean;
  readonly errors: number;
  readonly last_reason: string;
}

export async function checkWatches({ api }: Pick<CommandContext, "api">, report: ReportFinding): Promise<void> {
  const { poller, watches } = await api.get("/api/watches", { query: { limit: MOST } });
  for (const finding of watchFindings(poller, watches)) report(finding);
}

/** What to say of watches; nothing where none is active. */
export function watchFindings(poller: boolean, watches: readonly KnownWatch[]): readonly Finding[] {
  const active = watches.filter(({ status }) => status === "active");
  if (active.length === 0) return [];
  const off: Finding = { state: "warning", about, text: `${active.length} active, and none is checked` };
  return [
    poller
      ? { state: "ok", about, text: `${active.length} active` }
      : { ...off, remedy: "agent-service config set watches.poller=true" },
    ...active.flatMap(({ id, flapping, errors, last_reason }): Finding[] => {
      if (errors > 0) return [{ state: "warning", about, text: `${id}: ${last_reason}` }];
      const remedy = `agent-service watches fires ${id} has the reasons; a longer --interval calms it`;
      return flapping ? [{ state: "warning", about, text: `${id} is flapping`, remedy }] : [];
    }),
  ];
}
