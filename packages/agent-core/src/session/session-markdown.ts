import type { SessionTurn, TurnArtifact } from "./session-turn.ts";
import type { SessionRecord, Sessions } from "./sessions.ts";

/** Turns read at a time. */
const PAGE = 50;

/**
 * A session as a Markdown document, oldest turn first, in pieces as they are pulled: messages, tools, answers, duration
 * and usage; behind them what its other versions hold. @throws UnknownSessionError at the first piece
 */
export async function* sessionMarkdown(sessions: Sessions, id: string): AsyncGenerator<string> {
  yield headOf(await sessions.read(id));
  const versions = await sessions.versions(id);
  const written = new Set<string>();
  yield* turnTexts(sessions, { id, after: "" }, written);
  for (const version of versions) {
    if (version.id === id) continue;
    const texts = turnTexts(sessions, version, written);
    const first = await texts.next();
    if (first.done === true) continue;
    yield versionHead(version);
    yield first.value;
    yield* texts;
  }
}

/** The turns of a session behind one, without those that are `written`, to which they are added. */
async function* turnTexts(
  sessions: Sessions,
  { id, after: start }: { readonly id: string; readonly after: string },
  written: Set<string>,
): AsyncGenerator<string> {
  let after: string | undefined = start === "" ? undefined : start;
  do {
    const { turns, next } = await sessions.turns(id, { limit: PAGE, after, first: "oldest" });
    for (const turn of turns) {
      if (written.has(turn.task)) continue;
      written.add(turn.task);
      yield turnText(turn);
    }
    after = next;
  } while (after !== undefined);
}

function versionHead({ id, after }: { readonly id: string; readonly after: string }): string {
  const from = after === "" ? "from the first turn on" : `after task ${after}`;
  return `\n---\n\n# Another version, ${from}\n\n- Session: \`${id.replaceAll("`", "'")}\`\n`;
}

function headOf({ id, title, turns, createdAt, updatedAt }: SessionRecord): string {
  const facts = [`- Session: \`${id.replaceAll("`", "'")}\``, `- From: ${iso(createdAt)}`, `- To: ${iso(updatedAt)}`];
  return `# ${oneLine(title === "" ? id : title)}\n\n${facts.join("\n")}\n- Turns: ${turns}\n`;
}

function turnText(turn: SessionTurn): string {
  const messages = turn.messages.map(({ from, text, files, at }) => {
    const names = files.map(({ name = "file", mediaType }) => `- File \`${name.replaceAll("`", "'")}\`, ${mediaType}`);
    return section(from === "user" ? "User" : "Agent asks", at, [text, ...names].filter(Boolean).join("\n"));
  });
  const ended = turn.durationMs !== undefined;
  const answer =
    turn.answer === "" && turn.artifacts.length === 0 ? [] : [section("Agent", turn.updatedAt, turn.answer)];
  const pieces = [
    ...messages,
    ...turn.toolCalls.map(({ name, outcome, ms }) => `- Tool \`${name.replaceAll("`", "'")}\`: ${outcome}, ${ms} ms\n`),
    ...answer,
    ...turn.artifacts.map(artifactText),
    ...(turn.truncated ? ["*Some of this turn is too long to be shown here.*\n"] : []),
    ...(turn.note === undefined ? [] : [`> ${oneLine(turn.note)}\n`]),
    ...(ended ? [factsOf(turn)] : [`*State: ${turn.state}*\n`]),
  ];
  return `\n---\n\n${pieces.join("\n")}`;
}

function section(who: string, at: number, text: string): string {
  return `## ${who}\n\n*${iso(at)}*\n\n${text}\n`;
}

function artifactText(artifact: TurnArtifact): string {
  const { kind } = artifact;
  const value = kind === "data" ? artifact.data : artifact.component;
  const text = JSON.stringify(value, undefined, 2);
  // A fence is longer than any in what it holds.
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}json\n${text}\n${fence}\n`;
}

function factsOf({ state, model, usage, costUsd, durationMs, task }: SessionTurn): string {
  const facts = [
    state,
    model,
    usage && `${usage.input} tokens in, ${usage.output} out`,
    costUsd !== undefined && `$${costUsd.toFixed(4)}`,
    durationMs !== undefined && `${durationMs} ms`,
    `task ${task}`,
  ];
  return `*${facts.filter((fact) => fact !== undefined && fact !== false).join(" · ")}*\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
