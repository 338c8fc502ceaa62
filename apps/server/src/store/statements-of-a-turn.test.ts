/**
 * What the stores are asked to write for turns, counted: it decides what a turn costs them, on any machine. A number that
 * grows here is paid by every turn; raise it only for something that is worth that.
 */
import { basename } from "node:path";
import { createStoreThreads, type StoreThreads } from "@agent-service/agent-core/host";
import { manualClock } from "@agent-service/agent-core/testing";
import { expect, it } from "vitest";
import { startTestService } from "../testing/test-service.ts";

/** Statements by table, and the bytes bound to them. */
interface Written {
  readonly statements: { [table: string]: number };
  bytes: number;
}

/** Threads of stores that count what they are asked to write, by file. */
function countingThreads(): { readonly threads: StoreThreads; readonly written: { [file: string]: Written } } {
  const threads = createStoreThreads();
  const written: { [file: string]: Written } = {};
  const attach = threads.writer.attach.bind(threads.writer);
  threads.writer.attach = (data, onDeath) => {
    const file = attach(data, onDeath);
    const texts: string[] = [];
    const name = basename(data.connection.path);
    return {
      leave: () => file.leave(),
      request(request) {
        if (request.kind === "group" || request.kind === "queries") {
          if (request.afresh) texts.length = 0;
          texts.push(...request.texts);
        }
        if (request.kind === "group") {
          written[name] ??= { statements: {}, bytes: 0 };
          count(request.commands, texts, written[name]);
        }
        return file.request(request);
      },
    };
  };
  return { threads, written };
}

/** Adds a group of commands; how they are written is in the engine's `group-message.ts`. */
function count(group: readonly unknown[], texts: readonly string[], into: Written): void {
  for (let at = 0; at < group.length; ) {
    let left = Number(group[at + 1]);
    at += 2;
    for (; left > 0; left--) {
      const end = at + 2 + Number(group[at + 1]);
      const sql = texts[Number(group[at])] ?? "";
      const [, verb, table] = /\b(INSERT|UPDATE|DELETE)(?: OR \w+)?(?: INTO| FROM)? "?(\w+)/i.exec(sql) ?? [];
      const key = `${verb?.toLowerCase()} ${table}`;
      into.statements[key] = (into.statements[key] ?? 0) + 1;
      for (const value of group.slice(at + 2, end)) into.bytes += typeof value === "string" ? value.length : 8;
      at = end;
    }
  }
}

const TURNS = 20;
const ENGINE = "checkpoints.db";
const OBSERVATION = "telemetry.db";
/** What is written a second behind the turns, for many of them at once. */
const BEHIND = /session|cursor/;

/** What `TURNS` messages had written, each in a conversation of its own. */
async function writtenBy(text: string) {
  const { threads, written } = countingThreads();
  const clock = manualClock();
  await using running = await startTestService({ threads, clock });
  const behind = async (): Promise<void> => {
    await clock.advance(1_000);
    const statements = () => Object.values(written).flatMap((one) => Object.keys(one.statements));
    const last = ["insert session_text", "insert turn", "insert prompt_call"];
    await expect.poll(statements).toEqual(expect.arrayContaining(last));
  };
  await running.wire.say(text);
  await behind();
  for (const name of Object.keys(written)) written[name] = { statements: {}, bytes: 0 };
  for (let i = 0; i < TURNS; i++) await running.wire.say(text);
  await behind();
  const engine = Object.entries(written[ENGINE]?.statements ?? {});
  return {
    inTheTurns: Object.fromEntries(engine.filter(([name]) => !BEHIND.test(name)).map(([name, n]) => [name, n / TURNS])),
    behind: [...engine.filter(([name]) => BEHIND.test(name)), ...Object.entries(written[OBSERVATION]?.statements ?? {})]
      .map(([, n]) => n)
      .reduce((sum, n) => sum + n, 0),
    bytes: [ENGINE, OBSERVATION].map((name) => (written[name]?.bytes ?? 0) / TURNS),
  };
}

it.each([
  {
    what: "a plain turn",
    text: "/say hello",
    inTheTurns: { "insert task": 1, "insert event": 2, "insert message": 2, "update task": 1 },
    bytes: [1_560, 1_020],
  },
  {
    what: "a turn with one call of a pure tool",
    text: '/call calculator {"expression": "6*7"}\n/then\n/say done',
    inTheTurns: { "insert task": 1, "insert event": 3, "insert message": 3, "update task": 2, "insert call": 1 },
    bytes: [3_080, 2_160],
  },
])("$what is written with the statements and within the bytes of its budget", async ({ text, inTheTurns, bytes }) => {
  const written = await writtenBy(text);
  expect(written.inTheTurns).toEqual(inTheTurns);
  expect(written.bytes).toEqual(bytes.map((most) => expect.toSatisfy((n: number) => n > most / 2 && n <= most)));
  // Of twenty turns as of one: what observes them is written for all at once.
  expect(written.behind).toBeLessThanOrEqual(30);
});
