/**
 * One trial of edits under SIGKILL: turns edit, write and delete files of a project, an operator undoes a turn, and the
 * service is killed in the middle of it, twice or three times. Then it comes to rest, and the verdict is drawn from the
 * files and from what the service says of them (FC1 to FC3, F17).
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom, type Random } from "../random.ts";
import { type ServiceLife, startLife, type TrialFolder } from "../service-life.ts";

export interface EditsReport {
  readonly seed: string;
  readonly kills: readonly string[];
  readonly violations: readonly string[];
  readonly figures: { readonly changes: number; readonly undone: number; readonly deleted: number };
  /** Where it lies; removed when it passed. */
  readonly folder: string;
}

interface Change {
  readonly id: string;
  readonly task_id: string;
  readonly call_id: string | null;
  readonly path: string;
  readonly op: string;
  readonly origin: string;
  readonly state: string;
  readonly current: string;
}

interface Api {
  get(path: string): Promise<{ readonly [field: string]: never }>;
  post(path: string, body: object): Promise<{ readonly [field: string]: never } | undefined>;
}

const FILES = ["a.txt", "b.txt", "c.txt", "d.txt"] as const;
const TURNS = 3;
/** Rounds of answering after which a service that still asks is given up. */
const MOST_ROUNDS = 20;

/** What a file holds after `step` edits: long enough that a torn write would show. */
function contentOf(name: string, step: number): string {
  return `${name} step ${step}.\n${`${name} is filled with this line\n`.repeat(500)}end of ${step}\n`;
}

function apiOf(url: string): Api {
  const ask = async (method: string, where: string, body?: object) => {
    const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await fetch(`${url}/api/${where}`, { method, ...sent });
    return response.ok ? ((await response.json()) as { readonly [field: string]: never }) : undefined;
  };
  return {
    async get(where) {
      const answer = await ask("GET", where);
      if (answer === undefined) throw new Error(`${where} is refused`);
      return answer;
    },
    post: (where, body) => ask("POST", where, body),
  };
}

/** Turns that take each file some steps further, a call for each step; one of them deletes a file at its end. */
function messagesOf(random: Random): readonly string[] {
  const doomed = random.pick(FILES);
  return Array.from({ length: TURNS }, (_, turn) => {
    const calls = FILES.map((name) => {
      const edit = { path: name, old_string: `step ${turn}.`, new_string: `step ${turn + 1}.` };
      return `/call edit_file ${JSON.stringify(edit)}`;
    });
    const ends = FILES.map((name) => {
      const edit = { path: name, old_string: `end of ${turn}\n`, new_string: `end of ${turn + 1}\n` };
      return `/call edit_file ${JSON.stringify(edit)}`;
    });
    const made = `/call write_file ${JSON.stringify({ path: `made/${turn}.txt`, content: contentOf("made", turn) })}`;
    const last = turn === TURNS - 1 ? `\n/then\n/call delete_file ${JSON.stringify({ path: doomed })}` : "";
    return `${calls.join("\n")}\n${made}\n/then\n${ends.join("\n")}${last}\n/then\n/say done`;
  });
}

/** Says what was not said yet, in order, and answers what is asked, until everything is done or the service is gone. */
async function work(api: Api, messages: readonly string[], random: Random): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { tasks } = (await api.get("a2a/tasks?session_id=edits")) as unknown as {
      tasks: { state: string }[];
    };
    const open = tasks.filter(({ state }) => !["completed", "failed", "canceled"].includes(state));
    if (open.length === 0) {
      const message = messages[tasks.length];
      if (message === undefined) break;
      await api.post("chat", { message, session_id: "edits" });
    }
    const { approvals } = (await api.get("approvals")) as unknown as { approvals: { id: string }[] };
    for (const { id } of approvals) await api.post(`approvals/${id}`, { decision: "approve" });
    if (open.length > 0) await sleep(random.int(5, 30));
  }
  const { tasks } = (await api.get("a2a/tasks?session_id=edits")) as unknown as { tasks: { task_id: string }[] };
  const [newest] = tasks;
  if (newest !== undefined) await api.post("changes/undo", { task_id: newest.task_id });
}

async function allChanges(api: Api): Promise<readonly Change[]> {
  const { changes } = (await api.get("changes?project=app&limit=200")) as unknown as { changes: Change[] };
  return changes;
}

/** What is wrong with the files and with what the service says of them. */
function faultsOf(app: string, changes: readonly Change[]): string[] {
  const faults: string[] = [];
  for (const name of FILES) {
    const file = path.join(app, name);
    if (!existsSync(file)) continue;
    const text = readFileSync(file, "utf8");
    const steps = [0, 1, 2, 3].flatMap((step) =>
      [step - 1, step].map((end) => contentOf(name, step).replace(`end of ${step}\n`, `end of ${end}\n`)),
    );
    if (!steps.includes(text)) faults.push(`${name} holds what no change left: ${JSON.stringify(text.slice(0, 40))}`);
  }
  for (const name of readdirSync(app, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".tmp")) faults.push(`${name} was left over`);
  for (const { id, path: of, state } of changes) if (state === "pending") faults.push(`${id} of ${of} is pending`);
  const calls = changes.flatMap(({ call_id }) => (call_id === null ? [] : [call_id]));
  if (new Set(calls).size < calls.length) faults.push("a call made two changes");
  const newest = new Map(changes.toReversed().map((change) => [change.path, change]));
  for (const { path: of, current, id } of newest.values())
    if (current !== "unchanged") faults.push(`${of} is not as its newest change ${id} left it: ${current}`);
  return faults;
}

/** Runs one. */
export async function runEdits(seed: string, compileCache: string): Promise<EditsReport> {
  const random = createRandom(seed);
  const root = mkdtempSync(path.join(tmpdir(), "proof-edits-"));
  const app = path.join(root, "app");
  const folder: TrialFolder = {
    ...{ home: `${root}/home`, config: `${root}/config`, deeds: `${root}/deeds`, epoch: Date.now() },
  };
  for (const made of [app, folder.home, folder.config]) mkdirSync(made);
  for (const name of FILES) writeFileSync(path.join(app, name), contentOf(name, 0));
  const settings = `checkpoint:\n  db_path: ${folder.home}/agent.db\n  on_restart: resume\nprojects: [{name: app, path: "${app}"}]\n`;
  writeFileSync(`${folder.config}/agent-config.yaml`, settings);
  const messages = messagesOf(random);
  const kills: string[] = [];
  const violations: string[] = [];
  const lives = random.int(2, 3);
  for (let life = 0; life < lives; life++) {
    const side = random.pick(["before", "after"] as const);
    const nth = random.int(1, 45);
    kills.push(`${side} commit ${nth}`);
    await killedLife(startLife(folder, { kind: "commit", side, nth }, compileCache), messages, random);
  }
  const last = startLife(folder, undefined, compileCache);
  const url = await last.ready;
  let changes: readonly Change[] = [];
  if (url === undefined) violations.push(`the service does not start again: ${(await last.gone).log}`);
  else {
    const api = apiOf(url);
    await last.idle();
    violations.push(...askedAgain(await api.get("approvals")));
    await work(api, messages, random);
    await last.idle();
    changes = await allChanges(api);
    violations.push(...faultsOf(app, changes));
  }
  last.kill();
  await last.gone;
  if (violations.length === 0) rmSync(root, { recursive: true, force: true });
  const figures = {
    changes: changes.length,
    undone: changes.filter(({ origin }) => origin === "undo").length,
    deleted: changes.filter(({ op, origin }) => op === "delete" && origin === "tool").length,
  };
  return { seed, kills, violations, figures, folder: root };
}

/** An edit is never asked about: its file tells whether it was made. */
function askedAgain(waiting: object): readonly string[] {
  const { approvals } = waiting as { approvals: { reason?: string; payload: { title?: string } }[] };
  return approvals
    .filter(({ payload }) => payload.title?.startsWith("Run ") === true)
    .map(({ payload }) => `a person is asked ${JSON.stringify(payload.title)}`);
}

async function killedLife(life: ServiceLife, messages: readonly string[], random: Random): Promise<void> {
  const url = await life.ready;
  const worked = url === undefined ? Promise.resolve() : work(apiOf(url), messages, random);
  // What was asked of a process that is killed fails.
  await Promise.race([worked.catch(() => {}), life.gone]);
  life.kill();
  await life.gone;
}
