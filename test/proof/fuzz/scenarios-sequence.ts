/** Cases of several requests that follow from each other: tasks that are read, left, resumed, answered, ended. */
import type { Random } from "../random.ts";
import type { Operation, PushOperation } from "./fuzz-request.ts";
import { type Ask, drawRoute, type Route, request } from "./grammar.ts";
import type { Verdict } from "./judge.ts";
import { asking, type MessageOptions, plainParams, script } from "./messages.ts";
import type { Scenario, Session } from "./scenario.ts";
import { type SeenTask, TERMINAL } from "./shapes.ts";
import { strangeValue, wrongId } from "./values.ts";

function ask(session: Session, route: Route, what: Ask): Promise<Verdict> {
  return session.send(route.instance, request(session.random, route, what));
}

function say(session: Session, route: Route, text: string, options: MessageOptions & Partial<Ask> = {}) {
  const { operation = "send", expects, headers, leaveAfter, ...about } = options;
  const params = plainParams(route.version, text, about);
  return ask(session, route, {
    operation,
    params,
    ...(expects === undefined ? {} : { expects }),
    ...(headers === undefined ? {} : { headers }),
    ...(leaveAfter === undefined ? {} : { leaveAfter }),
  });
}

/** Another way to the same instance, with the same rights. */
function otherWay(random: Random, route: Route): Route {
  return { ...route, version: random.pick(["0.3", "1.0"]), binding: random.pick(["rpc", "rest"]) };
}

function read(session: Session, route: Route, { id }: SeenTask): Promise<Verdict> {
  return ask(session, otherWay(session.random, route), { operation: "get", params: { id }, expects: ["ok"] });
}

/** What is over stays as it is (EN3). */
async function staysEnded(session: Session, route: Route, task: SeenTask): Promise<void> {
  const again = await read(session, route, task);
  if (again.task !== undefined && again.task.state !== task.state) {
    session.blame(`EN3: task ${task.id} was ${task.state} and is ${again.task.state}`);
  }
}

/** Sent, read, and still there after its end, whatever is done to it. */
const sendAndLook: Scenario = async (session) => {
  const { random } = session;
  const route = drawRoute(random);
  const { task } = await say(session, route, script(random), { expects: ["ok"] });
  if (task === undefined) return;
  if (!TERMINAL.includes(task.state)) return void (await read(session, route, task));
  await staysEnded(session, route, task);
  const way = otherWay(random, route);
  // A8: 0.3 gets the Task, 1.0 only a canceled one.
  const expects = way.version === "0.3" || task.state === "canceled" ? ["ok"] : ["-32002"];
  await ask(session, way, { operation: "cancel", params: { id: task.id }, expects });
  // A7.
  const resubscribe = way.version === "0.3" ? ["ok"] : ["-32004"];
  await ask(session, way, { operation: "subscribe", params: { id: task.id }, expects: resubscribe });
  await staysEnded(session, route, task);
};

/** Started, cancelled in the middle, and cancelled again. */
const cancelAtWork: Scenario = async (session) => {
  const { random } = session;
  const route = drawRoute(random);
  const { task } = await say(session, route, "/wait 60000\n/say too late", {
    returnImmediately: true,
    expects: ["ok"],
  });
  if (task === undefined) return;
  if (random.chance(0.5)) await read(session, route, task);
  const way = otherWay(random, route);
  const canceled = await ask(session, way, { operation: "cancel", params: { id: task.id }, expects: ["ok"] });
  if (canceled.task !== undefined && canceled.task.state !== "canceled") {
    session.blame(`A8: task ${task.id} is ${canceled.task.state} after a cancel`);
  }
  await ask(session, otherWay(random, route), { operation: "cancel", params: { id: task.id }, expects: ["ok"] });
};

/** A stream that is left and resumed with a cursor, in the header or the metadata (A20). */
const resume: Scenario = async (session) => {
  const { random } = session;
  const route = drawRoute(random);
  const text = random.pick([
    "/stream 30",
    "/wait 20\n/stream 10",
    '/call calculator {"expression":"1+1"}\n/then\n/stream 9',
  ]);
  const first = await say(session, route, text, { operation: "stream", expects: ["ok"], leaveAfter: random.int(1, 5) });
  if (first.task === undefined || first.lastEvent === undefined) return;
  const { id } = first.task;
  const cursor = random.chance(0.8) ? first.lastEvent : random.pick([0, 1, first.lastEvent + 1_000]);
  const inHeader = random.chance(0.5);
  const way = { ...otherWay(random, route), ...(inHeader ? {} : { binding: "rpc" as const }) };
  const operation: Operation = "subscribe";
  // A 1.0 subscriber whose cursor is at the end of a task that is over has nothing to resume (A7).
  const expects = way.version === "0.3" ? ["ok"] : ["ok", "-32004"];
  const params = inHeader ? { id } : { id, metadata: { after: cursor } };
  const headers = inHeader ? ([["Last-Event-ID", String(cursor)]] as const) : [];
  const second = await ask(session, way, { operation, params, headers, expects });
  if (second.lastEvent !== undefined && cursor < first.lastEvent + 1_000 && second.lastEvent < cursor) {
    session.blame(`A20: a stream of ${id} from ${cursor} ended at ${second.lastEvent}`);
  }
  const bad = random.pick(["x", "-1", "1.5", "9".repeat(40), "1 OR 1"]);
  await ask(session, way, { operation, params: { id }, headers: [["Last-Event-ID", bad]], expects: ["-32602"] });
};

/** A question, wrong replies, and the right one (A13). */
const answer: Scenario = async (session) => {
  const { random } = session;
  const route = drawRoute(random);
  const parked = await say(session, route, asking(random), { expects: ["ok"] });
  const { task } = parked;
  if (task === undefined) return;
  if (task.state !== "input-required" || task.promptId === undefined) {
    return session.blame(`A13: task ${task.id} asks a person and is ${task.state}`);
  }
  const { id: taskId, promptId } = task;
  const way = otherWay(random, route);
  if (random.chance(0.5)) {
    await say(session, way, "x", { taskId, contextId: "another", expects: ["-32602"] });
  }
  if (random.chance(0.5)) {
    const data = { promptId: wrongId(random), answer: strangeValue(random) };
    // A value may be nested deeper than a body may be.
    await say(session, way, "", { taskId, parts: [dataPart(way, data)], expects: ["-32002", "-32600"] });
  }
  if (random.chance(0.3)) await ask(session, way, { operation: "subscribe", params: { id: taskId }, expects: ["ok"] });
  if (random.chance(0.2)) {
    await ask(session, way, { operation: "cancel", params: { id: taskId }, expects: ["ok"] });
    return staysEnded(session, route, { ...task, state: "canceled" });
  }
  const data = { promptId, answer: random.chance(0.5) ? { word: "w" } : strangeValue(random) };
  const reply = random.chance(0.5) ? { parts: [dataPart(way, data)] } : {};
  const operation = random.pick(["send", "stream"] as const);
  const expects = ["ok", "-32600"];
  await say(session, way, random.pick(['{"word":"w"}', "the second"]), { taskId, operation, expects, ...reply });
};

function dataPart({ version }: Route, data: unknown): unknown {
  return version === "1.0" ? { data } : { kind: "data", data };
}

/** The same request twice under one key is one task; another request under it is refused (A15). */
const keyed: Scenario = async (session) => {
  const { random } = session;
  const route = drawRoute(random);
  const key = `key-${random.int(0, 1e12)}`;
  const inHeader = random.chance(0.5);
  const about = inHeader ? { headers: [["Idempotency-Key", key]] as const } : { key };
  const text = random.pick(["/say once", "/wait 20\n/say once"]);
  const both = [0, 1].map(() => say(session, route, text, { ...about, expects: ["ok"] }));
  const [first, second] = await Promise.all(both);
  if (first?.task?.id !== second?.task?.id) session.blame(`A15: ${key} is ${first?.task?.id} and ${second?.task?.id}`);
  await say(session, route, "/say another", { ...about, expects: ["-32602"] });
};

/** What the operator has does not exist for a peer, and the other way round only for the peer (A16). */
const otherClass: Scenario = async (session) => {
  const { random } = session;
  const mine: Route = { ...drawRoute(random), instance: "gated", who: "operator" };
  const theirs: Route = { ...otherWay(random, mine), who: "federation" };
  const { task } = await say(session, mine, "/wait 30\n/say mine", { returnImmediately: true, expects: ["ok"] });
  if (task === undefined) return;
  const operation = random.pick(["get", "cancel", "subscribe"] as const);
  await ask(session, theirs, { operation, params: { id: task.id }, expects: ["-32001"] });
  const joined = await say(session, theirs, "/say theirs", { contextId: task.contextId, expects: ["ok"] });
  if (joined.task !== undefined) await read(session, mine, joined.task);
};

/** A message to a task at work: steering in 1.0, a new task in 0.3 (A9). */
const talkToWorking: Scenario = async (session) => {
  const { random } = session;
  const route = drawRoute(random);
  const { task } = await say(session, route, "/wait 40\n/say one", { returnImmediately: true, expects: ["ok"] });
  if (task === undefined) return;
  const way = otherWay(random, route);
  const expects = way.version === "0.3" ? ["ok"] : ["ok", "-32004"];
  const second = await say(session, way, "/say two", { taskId: task.id, expects });
  if (second.task === undefined) return;
  const same = second.task.id === task.id;
  if (way.version === "1.0" && !same) session.blame(`A9: steering ${task.id} made task ${second.task.id}`);
  // A 0.3 message to a task that ended meanwhile is a new task too.
  if (way.version === "0.3" && same) session.blame(`A9: a 0.3 message to ${task.id} at work made no task`);
};

/** A webhook is set, read without its token, replaced, and removed; where it may not lead is refused (W1, W3). */
const webhook: Scenario = async (session) => {
  const { random } = session;
  const route = drawRoute(random);
  const { task } = await say(session, route, "/wait 20\n/say told", { returnImmediately: true, expects: ["ok"] });
  if (task === undefined) return;
  const taskId = task.id;
  const secret = `token-${random.int(0, 1e12)}`;
  const push = (operation: PushOperation, more: { [name: string]: unknown }, expects?: readonly string[]) => {
    const way = otherWay(random, route);
    const named = way.version === "1.0" ? { taskId, id: "hook" } : { taskId, pushNotificationConfigId: "hook" };
    const { url, ...rest } = more;
    const config = { id: "hook", url, token: secret, ...rest };
    const set = way.version === "1.0" ? { taskId, ...config } : { taskId, pushNotificationConfig: config };
    const params = operation === "push-set" ? set : operation === "push-list" ? { taskId } : named;
    return ask(session, way, { operation, params, secret, ...(expects === undefined ? {} : { expects }) });
  };
  // No one listens there, which is a failure of the receiver. The open instance does not send to loopback addresses at all.
  const url = `http://127.0.0.1:9/${random.int(0, 9)}`;
  const expects = route.instance === "open" ? ["-32602"] : ["ok"];
  await push("push-set", { url }, expects);
  const bad = random.pick([
    strangeValue(random),
    "ftp://x/",
    "http://u:p@127.0.0.1:9/",
    "http://[::ffff:10.0.0.1]/",
    "",
  ]);
  await push("push-set", { url: bad });
  if (random.chance(0.3)) await push("push-set", { url, token: "a\r\nb" }, ["-32602"]);
  await push("push-get", {});
  await push("push-list", {}, ["ok"]);
  await push("push-delete", {}, ["ok"]);
  await push("push-delete", {}, ["ok"]);
};

/** Several turns at once in one context: they run one after the other (EN4). */
const queue: Scenario = async (session) => {
  const { random } = session;
  const route = drawRoute(random);
  const contextId = `q-${random.int(0, 1e12)}`;
  const turns = Array.from({ length: random.int(2, 4) }, (_, i) =>
    say(session, otherWay(random, route), `/wait ${random.int(0, 20)}\n/say turn ${i}`, { contextId, expects: ["ok"] }),
  );
  for (const { task } of await Promise.all(turns)) {
    if (task !== undefined && task.state !== "completed") session.blame(`EN4: turn ${task.id} is ${task.state}`);
  }
};

/** Cases of several requests, with their shares. */
export const SEQUENCE_SCENARIOS: readonly (readonly [share: number, scenario: Scenario])[] = [
  [3, sendAndLook],
  [2, cancelAtWork],
  [2, resume],
  [3, answer],
  [1, keyed],
  [1, otherClass],
  [1, talkToWorking],
  [1, queue],
  [1, webhook],
];
