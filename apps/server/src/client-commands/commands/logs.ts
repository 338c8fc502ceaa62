import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import type { ClientCommand, CommandContext } from "../command.ts";
import { CommandProblem, usage } from "../command-failure.ts";
import { EXIT } from "../exit-code.ts";
import { choiceFlag, refuseArguments, textFlag } from "../flag-values.ts";
import { followEvents } from "../follow-events.ts";
import { interruptible } from "../interruptible.ts";
import { clean } from "../terminal-text.ts";

type Entry = AnswerOf<Extract<OperatorDefinition, { readonly name: "diagnostics.logs" }>>["entries"][number];

const LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR"] as const;
const MOST_LINES = 1_000;
/** Topics after which the log is read again: it has new lines, or events were missed. */
const READ_AGAIN: ReadonlySet<string> = new Set(["log.written", "stream.gap"]);
const LOOKS = { DEBUG: "dim", INFO: "green", WARNING: "yellow", ERROR: "red" } as const;

export const logsCommand: ClientCommand = {
  name: "logs",
  order: 110,
  summary: "The service's newest log lines",
  usage: `agent-service logs

  --lines <number>   how many; default 200, at most ${MOST_LINES}
  --level <level>    of this level or above: ${LEVELS.join(", ")}
  --follow, -f       continue with new lines
`,
  options: { lines: { type: "string" }, level: { type: "string" }, follow: { type: "boolean", short: "f" } },
  async run(context) {
    const { api, flags, io, positionals } = context;
    const remark = (text: string): void =>
      context.json ? context.writeJson({ note: text }) : context.note(`${text}\n`);
    refuseArguments("logs", positionals);
    const lines = textFlag(flags, "lines") ?? "200";
    if (!/^\d{1,6}$/.test(lines)) throw usage(`--lines takes a number, not ${JSON.stringify(lines)}`);
    const level = LEVELS.indexOf(choiceFlag(flags, "level", LEVELS) ?? "DEBUG");
    const show = (entries: readonly Entry[]): void => {
      for (const entry of entries) if (LEVELS.indexOf(entry.level) >= level) writeEntry(context, entry);
    };
    const first = await api.get("/api/diagnostics/logs", { query: { lines } });
    if (!first.enabled) throw new CommandProblem("logs-off", "the service keeps no lines (LOG_BUFFER_LINES=0)");
    show(first.entries);
    if (first.note !== undefined) remark(first.note);
    if (flags.follow !== true) return EXIT.ok;
    return interruptible(io, async (signal) => {
      let seen = first.entries;
      const look = async (): Promise<void> => {
        const { entries } = await api.get("/api/diagnostics/logs", { query: { lines: MOST_LINES } });
        const { fresh, gap } = newLines(seen, entries);
        if (gap) remark("(lines in between are not kept any more)");
        show(fresh);
        if (entries.length > 0) seen = entries;
      };
      for await (const { topic } of followEvents(context, { signal, opened: look })) {
        if (READ_AGAIN.has(topic)) await look();
      }
      return EXIT.interrupted;
    });
  },
};

/** The lines that were not shown before; `gap`: lines in between were missed. */
export function newLines(
  seen: readonly Entry[],
  now: readonly Entry[],
): { readonly fresh: readonly Entry[]; readonly gap: boolean } {
  if (seen.length === 0) return { fresh: now, gap: false };
  const before = seen.map((entry) => JSON.stringify(entry));
  const after = now.map((entry) => JSON.stringify(entry));
  // The same text may have been logged twice in a millisecond: the longest match is searched from the end.
  for (let end = after.length; end > 0; end--) {
    const overlap = Math.min(end, before.length);
    if (after[end - 1] !== before.at(-1)) continue;
    const agrees = after.slice(end - overlap, end).every((text, index) => text === before.at(index - overlap));
    if (agrees) return { fresh: now.slice(end), gap: false };
  }
  return { fresh: now, gap: true };
}

function writeEntry({ json, write, writeJson, paint }: CommandContext, entry: Entry): void {
  if (json) {
    writeJson(entry);
    return;
  }
  const { time, level, message, fields } = entry;
  const more = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const text = clean([message, ...more].join(" ")).replaceAll("\n", "\n    ");
  write(`${paint("dim", time)} ${paint(LOOKS[level], level.padEnd(7))} ${text}\n`);
}
