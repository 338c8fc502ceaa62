/** What clients ask for in a trial, drawn from its seed. */
import { drawCommand } from "./commands-of-trial.ts";
import { drawMcpCall } from "./kill-mcp/draw-call.ts";
import type { Random } from "./random.ts";
import type { Manners } from "./receivers.ts";

/** A webhook of a job. Its name is in its address and is unique in the trial. */
export interface Hook {
  readonly name: string;
  readonly manners: Manners;
  /** The protocol version it is registered in. */
  readonly version: "0.3" | "1.0";
}

/** One request, with everything that would be the same if it were sent again. */
export interface Job {
  /** Unique in the trial; it is in the request's text, its side effects and its answer. */
  readonly token: string;
  /** The user's text: a script of the scripted model. */
  readonly text: string;
  readonly contextId?: string;
  /** Sent again under this key when the answer was lost. */
  readonly key?: string;
  /** A blocking send, a send that returns at once, or a stream. */
  readonly mode: "send" | "nowait" | "stream";
  /** Milliseconds after the acknowledgement until it is cancelled. */
  readonly cancelAfter?: number;
  /** Frames after which the client leaves its stream and resubscribes with a cursor. */
  readonly leaveAfter?: number;
  /** Whether its prompts are answered as soon as they show, or left for a later life. */
  readonly answersAtOnce: boolean;
  /** Registered in the request. */
  readonly hook?: Hook;
  /** Registered after the acknowledgement, perhaps of a task that is over. */
  readonly lateHook?: Hook;
  /** Set: not a message but something put into the inbox or on the task board, or a direct call, by `POST` to this path. */
  readonly put?: Put;
  /** Set: not a message but one to be read by whatever runs in this session, which begins with the first of them. */
  readonly steer?: { readonly session: string; readonly withdraws: boolean };
  /** What the final text must hold if it completes: empty when the script ends in a failure. */
  readonly says: string;
}

/** What an operator, or a program of theirs, leaves for the agent. */
export interface Put {
  readonly path: "/api/inbox" | "/api/tasks/issues" | `/api/tools/${string}/call`;
  readonly body: { readonly [name: string]: string | object };
}

const EFFECTS = ["append_once", "ledger_add", "job_append", "put_once"] as const;
const ASKING = ["guarded_append", "confirm_append", "ask_put"] as const;

function toolCall(random: Random, tool: string, token: string): string {
  const before = random.int(0, 25);
  const after = random.int(0, 25);
  return `/call ${tool} ${JSON.stringify({ token, before, after })}`;
}

function question(random: Random, token: string): string {
  if (random.chance(0.5)) return `/call ask_human ${JSON.stringify({ question: `What about ${token}?` })}`;
  const schema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
  return `/call request_user_input ${JSON.stringify({ title: `Form ${token}`, steps: [{ schema }] })}`;
}

/** A call of the inbox's, the board's or memory's own tools. Few subjects, so that memories replace each other. */
function work(random: Random, token: string): string {
  const memory = random.fork("memory");
  if (memory.chance(0.5))
    return `/call memory_ingest ${JSON.stringify({ content: `memory ${token}`, subject: `about ${memory.int(1, 2)}` })}`;
  if (random.chance(0.5))
    return `/call check_inbox ${JSON.stringify({ priority_floor: "later", limit: random.int(1, 3) })}`;
  return `/call task_create ${JSON.stringify({ title: `issue ${token}` })}`;
}

/**
 * Work left to one to three background jobs. Their scripts are none of the request's, so its token is not in them:
 * they and the turn that reports them are tasks of their own.
 */
function background(random: Random, token: string): string {
  const own = `job-${token.replace("t", "").replace("x", "-")}`;
  const works = Array.from({ length: random.int(1, 3) }, (_, i) => {
    const wait = random.chance(0.6) ? `/wait ${random.int(1, 60)}\n` : "";
    const call = random.chance(0.4) ? `/call current_time {}\n/then\n` : "";
    const last = random.chance(0.15) ? "/fail 400" : `/say ${own} part ${i} is done`;
    return { description: `${own} part ${i}`, prompt: `${wait}${call}${last}`, subagent_type: "researcher" };
  });
  const [only] = works;
  return works.length === 1
    ? `/call task ${JSON.stringify({ ...only, run_in_background: true })}`
    : `/call task_batch ${JSON.stringify({ tasks: works, run_in_background: true })}`;
}

/** Tools that a delegation of a trial may call: its approvals would wait for a person that the trial does not have. */
export const DELEGATED_TOOLS = ["ledger_add", "put_once", "look"] as const;

/** Work that one to three subagents do while the turn waits; named as background jobs are, and for the same reason. */
function delegated(random: Random, token: string): string {
  const own = `kid-${token.replace("t", "").replace("x", "-")}`;
  const works = Array.from({ length: random.int(1, 3) }, (_, i) => {
    const name = `${own}-${i}`;
    const wait = random.chance(0.6) ? `/wait ${random.int(1, 40)}\n` : "";
    const call = random.chance(0.7) ? `${toolCall(random, random.pick(DELEGATED_TOOLS), name)}\n/then\n` : "";
    const last = random.chance(0.15) ? "/fail 400" : `/say ${name} is done`;
    // No two of a call are the same, or one that is begun twice could not be distinguished from its twin.
    const pause = last.includes(name) || call !== "" ? wait : `/wait ${41 + i}\n`;
    return { description: name, prompt: `${pause}${call}${last}`, subagent_type: "verifier" };
  });
  return works.length === 1
    ? `/call task ${JSON.stringify(works[0])}`
    : `/call task_batch ${JSON.stringify({ tasks: works })}`;
}

/** How the requests of a trial are drawn. */
interface Drawing {
  /** Nothing else runs in its context, so it may wait for a person. */
  readonly mayPark: boolean;
  /** Commands run in a sandbox where there is one. */
  readonly sandboxed: boolean;
}

/** A script that makes two to four calls, one after the other or at once, and returns what became of them. */
function scripted(random: Random, token: string, { mayPark, sandboxed }: Drawing): string {
  const tools = mayPark ? [...EFFECTS, ...ASKING, "guarded_append", "look"] : ["ledger_add", "put_once", "look"];
  const calls = Array.from({ length: random.int(2, 4) }, (_, i) => {
    const own = `${token}-${i}`;
    const args = { token: own, before: random.int(0, 25), after: random.int(0, 25) };
    const tool = random.pick(tools);
    const command = random.fork(`${i} command`);
    const [called, given] =
      mayPark && command.chance(0.25) ? ["run_command", drawCommand(command, own, sandboxed)] : [tool, args];
    return `() => tools.${called}(${JSON.stringify(given)}).catch((error) => error.message)`;
  });
  const all = random.chance(0.4)
    ? "return Promise.all(calls.map((call) => call()))"
    : "const said = []; for (const call of calls) said.push(await call()); return said";
  return `/call execute_code ${JSON.stringify({ code: `const calls = [${calls.join(", ")}]; ${all};` })}`;
}

/** One step of a script: text, or one to four calls at once. */
function step(random: Random, token: string, drawing: Drawing): string {
  const { mayPark, sandboxed } = drawing;
  const aside = random.fork(`${token} work`);
  if (aside.chance(0.15)) return work(aside, `${token}-w`);
  const beside = random.fork(`${token} beside`);
  if (beside.chance(0.1)) return background(beside, token);
  const within = random.fork(`${token} within`);
  if (within.chance(0.15)) return delegated(within, token);
  const inside = random.fork(`${token} inside`);
  if (inside.chance(0.15)) return scripted(inside, `${token}-s`, drawing);
  const command = random.fork(`${token} command`);
  if (mayPark && command.chance(0.12)) {
    const calls = Array.from({ length: command.int(1, 2) }, (_, i) => drawCommand(command, `${token}-${i}`, sandboxed));
    return calls.map((call) => `/call run_command ${JSON.stringify(call)}`).join("\n");
  }
  const remote = random.fork(`${token} mcp`);
  if (mayPark && remote.chance(0.15))
    return Array.from({ length: remote.int(1, 2) }, (_, i) => drawMcpCall(remote, `${token}-m${i}`)).join("\n");
  const kind = random.next();
  if (!mayPark) {
    const tools = ["ledger_add", "put_once", "look"];
    return Array.from({ length: random.int(1, 3) }, (_, i) =>
      toolCall(random, random.pick(tools), `${token}-${i}`),
    ).join("\n");
  }
  if (kind < 0.15)
    return `/wait ${random.int(1, 40)}\n/stream ${random.int(1, 30)}\n/call look {"token":"${token}-look"}`;
  if (kind < 0.4) return toolCall(random, random.pick(EFFECTS), `${token}-e`);
  if (kind < 0.5) return question(random, `${token}-q`);
  if (kind < 0.65) return toolCall(random, random.pick(ASKING), `${token}-a`);
  const calls = Array.from({ length: random.int(2, 4) }, (_, i) => {
    const own = `${token}-${i}`;
    const what = random.next();
    if (what < 0.6) return toolCall(random, random.pick(EFFECTS), own);
    if (what < 0.7) return toolCall(random, "look", own);
    return what < 0.85 ? toolCall(random, random.pick(ASKING), own) : question(random, own);
  });
  return calls.join("\n");
}

function script(random: Random, token: string, drawing: Drawing): { text: string; says: string } {
  const steps = Array.from({ length: random.int(0, 3) }, (_, i) => step(random, `${token}.${i}`, drawing));
  const thinking = random.chance(0.3) ? "/think about it\n" : "";
  if (random.chance(0.08)) {
    steps.push(`${thinking}/fail 400`);
    return { text: steps.join("\n/then\n"), says: "" };
  }
  const wait = random.chance(0.5) ? `/wait ${random.int(1, 60)}\n` : "";
  const streamed = random.chance(0.3) ? `/stream ${random.int(1, 60)}\n` : "";
  steps.push(`${thinking}${streamed}${wait}/say ${token} is done`);
  return { text: steps.join("\n/then\n"), says: `${token} is done` };
}

const MANNERS: readonly Manners[] = ["late", "late", "fails", "vanishes", "unknown", "redirects", "gone"];

/** Many receivers accept everything, so that most tasks are delivered to their end; few are silent, which takes a trial long. */
function drawManners(random: Random): Manners {
  if (random.chance(0.4)) return "takes";
  return random.chance(0.04) ? "silent" : random.pick(MANNERS);
}

function drawHooks(random: Random, token: string): { hook?: Hook; lateHook?: Hook } {
  const draw = (name: string, version: Hook["version"]): Hook => ({ name, manners: drawManners(random), version });
  return {
    ...(random.chance(0.5) && { hook: draw(`${token}-with`, "0.3") }),
    ...(random.chance(0.2) && { lateHook: draw(`${token}-late`, random.pick(["0.3", "1.0"] as const)) }),
  };
}

function drawJob(random: Random, token: string, contexts: readonly string[], sandboxed: boolean): Job {
  const mode = random.pick(["send", "nowait", "stream", "stream"] as const);
  // The scripted model reads its script out of the newest user message, so a turn that may park keeps its context alone.
  const shared = random.chance(0.4);
  return {
    token,
    mode,
    ...script(random, token, { mayPark: !shared, sandboxed }),
    ...(shared ? { contextId: random.pick(contexts) } : {}),
    ...(random.chance(0.6) ? { key: `key-${token}` } : {}),
    ...(mode !== "send" && random.chance(0.12) ? { cancelAfter: random.int(0, 80) } : {}),
    ...(mode === "stream" && random.chance(0.4) ? { leaveAfter: random.int(1, 8) } : {}),
    answersAtOnce: random.chance(0.6),
    ...drawHooks(random.fork("hooks"), token),
  };
}

/** An item for the inbox, or an issue. One of priority `now` starts a turn that answers with its token. */
function drawPut(random: Random, token: string): Job {
  const urgent = random.chance(0.4);
  const says = urgent ? `${token} is done` : "";
  const put: Put = random.chance(0.25)
    ? { path: "/api/tasks/issues", body: { title: `issue ${token}` } }
    : { path: "/api/inbox", body: { text: `/say ${token} is done`, priority: urgent ? "now" : "next" } };
  const key = random.chance(0.7) ? { key: `key-${token}` } : {};
  return { token, text: "", mode: "nowait", answersAtOnce: false, says, put, ...key };
}

/** A call that the operator makes without a model (M19). */
function drawDirectCall(random: Random, token: string): Job {
  const path = `/api/tools/${random.pick(EFFECTS)}/call` as const;
  const args = { token, before: random.int(0, 25), after: random.int(0, 25) };
  const key = random.chance(0.7) ? { key: `key-${token}` } : {};
  const put = { path, body: { args } };
  return { token, text: "", mode: "nowait", answersAtOnce: false, says: `wrote ${token}`, put, ...key };
}

/** Calls of MCP tools, one after the other or at once. Nothing else runs in its context, so that they may ask. */
function drawMcpJob(random: Random, token: string): Job {
  const steps = Array.from({ length: random.int(1, 3) }, (_, i) =>
    Array.from({ length: random.int(1, 2) }, (__, k) => drawMcpCall(random, `${token}.${i}-${k}`)).join("\n"),
  );
  const says = `${token} is done`;
  const text = [...steps, `/say ${says}`].join("\n/then\n");
  const mode = random.pick(["send", "nowait", "stream"] as const);
  const key = random.chance(0.6) ? { key: `key-${token}` } : {};
  const cancel = mode !== "send" && random.chance(0.1) ? { cancelAfter: random.int(0, 80) } : {};
  return { token, text, mode, says, answersAtOnce: random.chance(0.5), ...key, ...cancel };
}

/** A message that steers a session; some are withdrawn at once. */
function drawSteer(random: Random, token: string, session: string): Job {
  const steer = { session, withdraws: random.chance(0.25) };
  return { token, text: `/say ${token} is heard`, mode: "nowait", answersAtOnce: false, says: "", steer };
}

/** The requests of a trial. A few contexts are shared, so that turns wait in line (EN4). */
export function drawJobs(random: Random, count: number, sandboxed: boolean): Job[] {
  const contexts = [`context-${random.int(0, 1e9)}`, `context-${random.int(0, 1e9)}`];
  const steered = `steered-${random.fork("steered").int(0, 1e9)}`;
  return Array.from({ length: count }, (_, i) => {
    const own = random.fork(i);
    if (own.fork("put").chance(0.15)) return drawPut(own, `t${i}x`);
    if (own.fork("call").chance(0.15)) return drawDirectCall(own, `t${i}x`);
    const remote = own.fork("mcp");
    if (remote.chance(0.2)) return drawMcpJob(remote, `t${i}x`);
    const steer = own.fork("steer");
    return steer.chance(0.12) ? drawSteer(steer, `t${i}x`, steered) : drawJob(own, `t${i}x`, contexts, sandboxed);
  });
}
