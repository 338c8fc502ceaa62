import fc from "fast-check";
import { expect, test } from "vitest";
import { isTerminalState, type TaskState } from "../event/index.ts";
import type { TaskLook } from "../trigger/index.ts";
import {
  CONCURRENCY,
  dueSteps,
  type JobStep,
  MAX_FAILURES,
  MAX_REPORTS,
  type OpenJob,
  RETRY_MS,
  STRAGGLER_MS,
} from "./due-steps.ts";

type Ending = "completed" | "failed" | "canceled" | "interrupted";
type Operation =
  | { readonly kind: "spawn"; readonly parent: number; readonly count: number; readonly resumes: boolean }
  | { readonly kind: "task"; readonly nth: number; readonly to: Ending | "parked" | "running" }
  | { readonly kind: "parent"; readonly parent: number; readonly to: Ending | "parked" | "running" }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "restart"; readonly onRestart: "fail" | "resume" }
  | { readonly kind: "auto-resume"; readonly on: boolean };

const ending = fc.constantFrom<Ending[]>("completed", "failed", "canceled", "interrupted");
const move = fc.oneof(ending, fc.constantFrom("parked" as const, "running" as const));
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constant("spawn" as const),
    parent: fc.nat(2),
    count: fc.integer({ min: 1, max: 4 }),
    resumes: fc.boolean(),
  }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("task" as const), nth: fc.nat(20), to: move }) },
  fc.record({ kind: fc.constant("parent" as const), parent: fc.nat(2), to: move }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(1, RETRY_MS, STRAGGLER_MS) }),
  fc.record({ kind: fc.constant("restart" as const), onRestart: fc.constantFrom("fail" as const, "resume" as const) }),
  fc.record({ kind: fc.constant("auto-resume" as const), on: fc.boolean() }),
);

/** A world in which steps are taken at once; it blames whatever should not happen. */
class World {
  jobs: OpenJob[] = [];
  readonly tasks = new Map<string, TaskLook>();
  /** How jobs ended that nothing is left to be done about. */
  readonly settled = new Map<string, "read" | "unread">();
  readonly #started: string[] = [];
  readonly #spawned: string[] = [];
  #now = 0;
  #autoResume = true;
  #next = 0;

  operate(operation: Operation): void {
    switch (operation.kind) {
      case "spawn":
        this.#spawn(`parent${operation.parent}`, operation.count, operation.resumes);
        return;
      case "task": {
        const own = this.jobs.flatMap(({ task, delivery }) => [task, delivery]).filter((id) => id !== undefined);
        const id = own[operation.nth % Math.max(1, own.length)];
        if (id !== undefined) this.move(id, operation.to);
        return;
      }
      case "parent":
        this.move(`parent${operation.parent}`, operation.to);
        return;
      case "wait":
        this.#now += operation.ms;
        return;
      case "auto-resume":
        this.#autoResume = operation.on;
        return;
      case "restart":
        this.#restart(operation.onRestart);
        return;
    }
  }

  move(id: string, to: Ending | TaskState): void {
    const look = this.tasks.get(id);
    if (look === undefined || isTerminalState(look.state)) return;
    this.tasks.set(id, { state: to === "interrupted" ? "failed" : to, interrupted: to === "interrupted" });
  }

  /** Takes steps until none is due. Returns when to look again. */
  settle(): number | undefined {
    for (let rounds = 0; ; rounds++) {
      expect(rounds, "it settles").toBeLessThan(100);
      const look = (task: string): TaskLook | undefined => this.tasks.get(task);
      const { steps, at } = dueSteps(this.jobs, { look, now: this.#now, autoResume: this.#autoResume });
      if (steps.length === 0) return at;
      for (const step of steps) this.#take(step);
    }
  }

  waitUntil(at: number): void {
    expect(at).toBeGreaterThan(this.#now);
    this.#now = at;
  }

  #spawn(parent: string, count: number, resumes: boolean): void {
    const known = this.tasks.get(parent);
    if (known === undefined || isTerminalState(known.state))
      this.tasks.set(parent, { state: "running", interrupted: false });
    for (let i = 0; i < count; i++) {
      const id = `job${this.#next++}`;
      this.#spawned.push(id);
      const none = { task: undefined, finishedAt: undefined, delivery: undefined, failures: 0, retryAt: 0 };
      this.jobs.push({ id, class: "operator", session: parent, parent, resumes, status: "running", ...none });
    }
  }

  #restart(onRestart: "fail" | "resume"): void {
    for (const job of this.jobs) job.retryAt = 0;
    if (onRestart === "resume") return;
    for (const id of this.tasks.keys()) this.move(id, "interrupted");
    for (const job of this.jobs.filter(({ status, task }) => status === "running" && task === undefined)) {
      this.#started.push(job.id);
      this.#end(job, "failed");
    }
  }

  #end(job: OpenJob, status: "completed" | "failed" | "canceled"): void {
    job.status = status;
    job.finishedAt = this.#now;
    if (status === "canceled" || !job.resumes) this.#drop([job], "unread");
  }

  #drop(jobs: readonly OpenJob[], how: "read" | "unread"): void {
    for (const { id } of jobs) {
      expect(this.settled.has(id), `${id} is settled once`).toBe(false);
      this.settled.set(id, how);
    }
    this.jobs = this.jobs.filter((job) => !jobs.includes(job));
  }

  #take(step: JobStep): void {
    switch (step.kind) {
      case "finish": {
        const { state } = this.tasks.get(step.job.task!)!;
        expect(step.job.status).toBe("running");
        this.#end(step.job, state as "completed" | "failed" | "canceled");
        return;
      }
      case "start":
        this.#start(step.job);
        return;
      case "deliver":
        this.#deliver(step.jobs);
        return;
      case "acknowledge":
        for (const { delivery } of step.jobs)
          expect(["completed", "canceled"]).toContain(this.tasks.get(delivery!)!.state);
        this.#drop(step.jobs, "read");
        return;
      case "take-back":
        for (const job of step.jobs) {
          expect(this.tasks.get(job.delivery!)).toEqual({ state: "failed", interrupted: !step.counts });
          job.delivery = undefined;
          if (step.counts) job.retryAt = this.#now + RETRY_MS * ++job.failures;
        }
        return;
      case "leave":
        for (const job of step.jobs) {
          if (step.why === "failures") expect(job.failures).toBe(MAX_FAILURES - 1);
          else expect(this.#autoResume).toBe(false);
        }
        this.#drop(step.jobs, "unread");
        return;
    }
  }

  #start(job: OpenJob): void {
    const atWork = this.jobs.filter(({ status, task }) => status === "running" && task !== undefined);
    const busy = atWork.filter(({ task }) => ["queued", "running"].includes(this.tasks.get(task!)!.state));
    expect(busy.length, "BG1").toBeLessThan(CONCURRENCY);
    expect(job).toMatchObject({ status: "running", task: undefined });
    expect(job.id, "BG1: in the order they came").toBe(this.#spawned.find((id) => !this.#started.includes(id)));
    this.#started.push(job.id);
    job.task = `task of ${job.id}`;
    this.tasks.set(job.task, { state: "running", interrupted: false });
  }

  #deliver(jobs: readonly OpenJob[]): void {
    expect(this.#autoResume).toBe(true);
    const { parent } = jobs[0]!;
    expect(["running", "queued"], "BG4: the spawner is done").not.toContain(this.tasks.get(parent)!.state);
    const late = jobs.some(({ finishedAt }) => this.#now - finishedAt! >= STRAGGLER_MS);
    const siblings = this.jobs.filter((job) => job.parent === parent && job.status === "running");
    expect(siblings.length === 0 || late, "BG4: together, or late").toBe(true);
    const left = this.jobs.filter(
      (job) => job.parent === parent && job.status !== "running" && job.delivery === undefined,
    );
    expect(jobs, "BG4: all that have ended").toEqual(left.slice(0, MAX_REPORTS));
    const turn = `turn ${this.#next++}`;
    for (const job of jobs) {
      expect(job.delivery, "BG3").toBeUndefined();
      expect([job.resumes, ["completed", "failed"].includes(job.status)]).toEqual([true, true]);
      job.delivery = turn;
    }
    this.tasks.set(turn, { state: "running", interrupted: false });
  }
}

test("whatever happens: three at a time, in order; reports together, to one turn, read once (BG1 to BG4)", () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const world = new World();
      for (const one of operations) {
        world.operate(one);
        world.settle();
      }
      // In the end, when everything ends as it should, nothing is left to be done.
      world.operate({ kind: "auto-resume", on: true });
      const before = new Map(world.jobs.map((job) => [job.id, job.resumes]));
      for (let rounds = 0; world.jobs.length > 0; rounds++) {
        expect(rounds).toBeLessThan(200);
        for (const id of world.tasks.keys()) world.move(id, "completed");
        const at = world.settle();
        if (at !== undefined) world.waitUntil(at);
      }
      for (const [id, resumes] of before) if (!resumes) expect(world.settled.get(id)).toBe("unread");
    }),
    { numRuns: 300 },
  );
});

test("reports of jobs that a turn is still spawning wait for it; a straggler holds the others up for 15 minutes (BG4)", () => {
  const job = (id: string, more: Partial<OpenJob>): OpenJob => ({
    ...{ id, class: "operator", session: "s", parent: "p", resumes: true, status: "running", task: `${id}-task` },
    ...{ finishedAt: undefined, delivery: undefined, failures: 0, retryAt: 0, ...more },
  });
  const done = job("a", { status: "completed", finishedAt: 1_000 });
  const slow = job("b", {});
  const tasks = new Map<string, TaskLook>([["b-task", { state: "running", interrupted: false }]]);
  const due = (parent: TaskState, now: number) => {
    tasks.set("p", { state: parent, interrupted: false });
    return dueSteps([done, slow], { look: (task) => tasks.get(task), now, autoResume: true });
  };
  expect(due("running", 2_000)).toEqual({ steps: [], at: undefined });
  expect(due("completed", 2_000)).toEqual({ steps: [], at: 901_000 });
  expect(due("completed", 901_000)).toEqual({ steps: [{ kind: "deliver", jobs: [done] }], at: undefined });
});

test("jobs of peers run in fewer slots than there are, and after the operator's that wait", () => {
  const job = (id: string, of: string): OpenJob => ({
    ...{ id, class: of, session: "s", parent: "parent", resumes: true, status: "running", task: undefined },
    ...{ finishedAt: undefined, delivery: undefined, failures: 0, retryAt: 0 },
  });
  const started = (jobs: readonly OpenJob[]): string[] =>
    dueSteps(jobs, { look: () => undefined, now: 0, autoResume: true }).steps.flatMap((step) =>
      step.kind === "start" ? [step.job.id] : [],
    );
  const peers = ["p1", "p2", "p3", "p4"].map((id) => job(id, "federation"));
  expect(started(peers)).toEqual(["p1"]);
  expect(started([...peers, job("o1", "operator"), job("o2", "operator")])).toEqual(["o1", "o2", "p1"]);
});
