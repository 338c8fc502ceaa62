/** A call of an earlier attempt. */
export interface EarlierCall {
  readonly name: string;
  readonly outcome: string;
}

export interface RunText {
  readonly job: string;
  readonly slot: number;
  readonly attempt: number;
  readonly prompt: string;
  /** Milliseconds the slot is late by; undefined: it is not. */
  readonly late: number | undefined;
  /** Why the attempt before ended, and its calls; undefined: this is the first. */
  readonly before: { readonly why: string; readonly calls: readonly EarlierCall[] } | undefined;
  /** The last answer of the job's turns, where they do not see each other. */
  readonly lastAnswer: string | undefined;
  /** Why the check before the slot could not be made. */
  readonly unchecked: string | undefined;
}

const ANSWER_CHARS = 2_000;
const MINUTE_MS = 60_000;

/** The text that a run begins with (G6, G7, G9). */
export function runText(of: RunText): string {
  const slot = new Date(of.slot).toISOString();
  const lines = [
    `(A run of the scheduled job ${of.job}, for ${slot}. The schedule exists already: do not set it again.)`,
  ];
  if (of.late !== undefined)
    lines.push(`(It is ${lateness(of.late)} late: the service was not running, or had no room.)`);
  if (of.unchecked !== undefined) lines.push(`(The check before it could not be made: ${of.unchecked})`);
  if (of.before !== undefined) lines.push(earlier(of.attempt, of.before));
  lines.push("", of.prompt);
  if (of.lastAnswer !== undefined) lines.push("", `(Your answer in the run before:)\n${clip(of.lastAnswer)}`);
  return lines.join("\n");
}

function lateness(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} days`;
}

function earlier(attempt: number, { why, calls }: NonNullable<RunText["before"]>): string {
  const made = calls.map(({ name, outcome }) => `${name} (${outcome})`).join(", ");
  return `(This is attempt ${attempt}: the one before ${why}. ${made === "" ? "It had made no calls." : `Its calls: ${made}.`})`;
}

function clip(text: string): string {
  return text.length <= ANSWER_CHARS ? text : `${text.slice(0, ANSWER_CHARS).toWellFormed()}…`;
}
