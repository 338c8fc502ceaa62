/** What tests of goals share: a core whose check says what the test wants. */
import { defineVerifier, type Verdict } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { activity } from "./activity/index.ts";
import { board } from "./board/index.ts";
import { type CoreBench, countedTool, type HeldCommit } from "./core-bench.ts";
import { createEgress } from "./egress/index.ts";
import type { TaskView } from "./event/index.ts";
import { Fence, ProjectRegistry, ProtectedPlaces } from "./fence/index.ts";
import { filesystem } from "./filesystem/index.ts";
import { goal, type Kick, type NewGoal } from "./goal/index.ts";
import { sessions } from "./session/index.ts";
import type { OnRestart } from "./task/index.ts";
import { manualClock, type ScriptedTurn, scriptedModel } from "./testing/index.ts";
import { verification } from "./verifier/index.ts";
import { waiting } from "./waiting/index.ts";
import { watch } from "./watch/index.ts";

export interface GoalScene {
  readonly store?: string;
  readonly clock?: ReturnType<typeof manualClock>;
  readonly play?: (text: string, count: number) => ScriptedTurn;
  readonly settings?: object;
  readonly failpoints?: HeldCommit["failpoints"];
  readonly onRestart?: OnRestart;
  /** There is a tool whose calls must not be repeated. */
  readonly effect?: true;
  readonly found?: Partial<{ met: boolean; evidence: string; fails: boolean }>;
}

/** A check whose verdict the test decides, and holds. */
function decidedCheck(first: GoalScene["found"]) {
  const found = { met: false, evidence: "0 of 3", fails: false, ...first };
  let checks = 0;
  let gate: Promise<void> | undefined;
  const look = defineVerifier({
    name: "look",
    description: "What the test says.",
    args: v.object({}),
    async check(_args, { signal }): Promise<Verdict> {
      checks++;
      const aborted = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => aborted.reject(signal.reason));
      if (gate !== undefined) await Promise.race([gate, aborted.promise]);
      if (found.fails) throw new Error("no network");
      return { met: found.met, reason: found.met ? "It holds." : "It does not hold.", evidence: found.evidence };
    },
  });
  return {
    ...{ look, found },
    checks: () => checks,
    /** Checks wait until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = undefined;
        resolve();
      };
    },
  };
}

/** A model that plays what the test says to the newest message of a person or the service. */
function playing(play: NonNullable<GoalScene["play"]>) {
  return scriptedModel(({ messages }, count) => {
    const last = messages.findLast(({ role }) => role === "user");
    const content = last?.role === "user" ? last.content : [];
    return play(content.map((part) => (part.kind === "text" ? part.text : "")).join(""), count);
  });
}

export async function goalScene(
  bench: CoreBench,
  {
    store,
    clock = manualClock(),
    play = () => "Done.",
    settings = {},
    failpoints,
    onRestart = "auto",
    effect,
    found: first,
  }: GoalScene = {},
) {
  const { look, found, checks, hold } = decidedCheck(first);
  const registry = new ProjectRegistry([]);
  const places = new ProtectedPlaces([]);
  const model = playing(play);
  const section = { ...settings };
  const core = await bench.start({
    ...{ model, clock, verifiers: { mine: [look] }, onRestart },
    ...(store !== undefined && { store }),
    ...(failpoints !== undefined && { failpoints }),
    ...(effect && { tools: [countedTool("create_effect", { effect: "effect" }).tool] }),
    settings: ({ name, schema, merge_by }) => {
      if (name !== "goal") return v.parse(schema, merge_by === undefined ? {} : []);
      return new Proxy({}, { get: (_, key) => (v.parse(schema, section) as never)[key as never] }) as never;
    },
    features: [
      ...[activity, sessions, filesystem({ fence: new Fence({ projects: () => registry, places: () => places }) })],
      ...[board({ url: () => ":memory:" }), verification({ inherited: {}, egress: () => createEgress() }), watch],
      ...[waiting, goal()],
    ] as const,
  });
  const { goals } = core.features.goal;
  const asked: NewGoal = { context: "s", condition: "The tests pass", verifier: "mine:look", by: "operator" };
  const kinds = async () => (await goals.timeline("s", { limit: 100 })).map(({ kind }) => kind).toReversed();
  return {
    ...{ core, goals, found, clock, model, kinds, section, checks, hold },
    set: (more: Partial<NewGoal> = {}, kick: Kick = { kind: "turn" }) => goals.set({ ...asked, ...more }, kick),
    say: async (text: string, context = "s") => {
      const task = await core.tasks.start({ context, text });
      await task.settled();
      return task;
    },
    /** Tasks of the conversation and of its checks, oldest first. */
    async tasks(which = "origin = 'goal'"): Promise<readonly Readonly<TaskView>[]> {
      const rows = await core.db.read({ sql: `SELECT id FROM task WHERE ${which} ORDER BY id`, args: [] });
      return Promise.all(rows.map(async ([id]) => (await core.tasks.get(String(id)))!.view));
    },
    goal: async () => (await goals.get("s"))!,
  };
}
