import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFrame } from "../../stream/index.ts";
import { isTerminal } from "../../task/index.ts";
import {
  type AgentExecutor,
  type AgentFunction,
  type AgentTurn,
  type CallContext,
  inMemoryExecutor,
  type NumberedFrame,
  type Submission,
  type TaskReading,
} from "../index.ts";

const call: CallContext = { caller: { class: "operator" }, version: "0.3" };
const never = new AbortController().signal;
const submission = (text: string) => ({ message: { messageId: "m", role: "ROLE_USER" as const, parts: [{ text }] } });
/** Submits to an agent that makes a task of everything. */
async function begin(executor: AgentExecutor, submission: Submission): Promise<TaskReading> {
  const made = await executor.submit(submission, call);
  if ("message" in made) throw new Error("no task");
  return made;
}
const hang = async function* ({ signal }: AgentTurn) {
  yield { status: "on it" };
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
};
async function frames(reading: TaskReading, after: number): Promise<NumberedFrame[]> {
  const all: NumberedFrame[] = [];
  for await (const item of reading.follow(after, never)) all.push(item);
  return all;
}

describe("tasks in memory", () => {
  it("make room by forgetting the oldest terminal one, and refuse a new one where all still run", async () => {
    const executor = inMemoryExecutor(
      async function* (turn) {
        if (turn.text === "hang") yield* hang(turn);
        else yield { text: turn.text };
      },
      { maxTasks: 2 },
    );
    const done = await begin(executor, { ...submission("x"), idempotencyKey: "k" });
    await done.settled(never);
    const hanging = await begin(executor, submission("hang"));
    await begin(executor, submission("hang"));
    expect(await executor.read(done.now.task.id, call)).toBeUndefined();
    expect(await executor.read(hanging.now.task.id, call)).toBeDefined();
    await expect(executor.submit(submission("x"), call)).rejects.toMatchObject({ code: "overloaded", status: 503 });
  });

  it("fail when they have more events than allowed", async () => {
    const errors: unknown[] = [];
    const endless: AgentFunction = async function* () {
      for (;;) yield { text: "x" };
    };
    const executor = inMemoryExecutor(endless, { maxEvents: 10, onError: (error) => errors.push(error) });
    const reading = await begin(executor, submission("x"));
    expect((await reading.settled(never)).status.state).toBe("TASK_STATE_FAILED");
    expect(errors).toEqual([expect.any(RangeError)]);
  });

  it("stop waiting readers that leave, and only them", async () => {
    const executor = inMemoryExecutor(hang);
    const reading = await begin(executor, submission("x"));
    const abort = new AbortController();
    const leaving = reading.settled(abort.signal);
    const staying = reading.settled(never);
    abort.abort(new Error("left"));
    await expect(leaving).rejects.toThrow("left");
    await executor.cancel(reading.now.task.id, call);
    expect((await staying).status.state).toBe("TASK_STATE_CANCELED");
  });

  it("reject the question of a canceled task, and one that is asked twice", async () => {
    const outcomes: unknown[] = [];
    const executor = inMemoryExecutor(async function* ({ ask }) {
      const first = ask("One?").catch((reason: unknown) => outcomes.push(reason));
      await ask("Two?").catch((reason: unknown) => outcomes.push((reason as Error).message));
      await first;
      yield { text: "never seen" };
    });
    const reading = await begin(executor, submission("x"));
    await reading.settled(never);
    const { task } = (await executor.cancel(reading.now.task.id, call)).now;
    expect([task.status.state, task.artifacts]).toEqual(["TASK_STATE_CANCELED", undefined]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes).toEqual(["The task waits for another answer already", expect.any(DOMException)]);
  });

  it("keep numbers without gaps, snapshots that equal their frames, and terminal states, whatever happens in whatever order", async () => {
    const action = fc.constantFrom("text", "artifact", "status", "ask", "answer", "cancel", "end", "fail");
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 20 }), async (actions) => {
        const steps: string[] = [];
        let wake = () => {};
        const agent: AgentFunction = async function* ({ ask, signal }) {
          for (;;) {
            const step = steps.shift();
            if (step === "end" || signal.aborted) return;
            if (step === "fail") throw new Error("failed");
            if (step === "ask") yield { text: await ask("?") };
            else if (step === "artifact") yield { artifact: { text: "a" } };
            else if (step === "status") yield { status: "s" };
            else if (step === "text") yield { text: "t" };
            else
              await new Promise<void>((resolve) => {
                wake = resolve;
              });
          }
        };
        const executor = inMemoryExecutor(agent, { onError: () => {} });
        const first = await begin(executor, submission("x"));
        const { id } = first.now.task;
        let ended: string | undefined;
        for (const name of actions) {
          if (name === "cancel") await executor.cancel(id, call);
          else if (name === "answer") await executor.answer(id, submission("re"), call).catch(() => {});
          else steps.push(name);
          wake();
          await new Promise((resolve) => setImmediate(resolve));
          const { status } = (await executor.read(id, call))!.now.task;
          if (ended !== undefined) expect(status.state).toBe(ended);
          if (isTerminal(status.state)) ended = status.state;
        }
        await executor.cancel(id, call);
        const reading = (await executor.read(id, call))!;
        const all = await frames(reading, first.now.seq);
        expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => first.now.seq + 1 + i));
        let task = first.now.task;
        for (const { seq, frame } of all) {
          task = applyFrame(task, frame);
          const { history: _, ...shown } = (await reading.at(seq)).task;
          const { history: __, ...folded } = task;
          expect(shown).toEqual(folded);
          expect(await frames(reading, seq)).toEqual(all.filter((item) => item.seq > seq));
        }
      }),
      { numRuns: 60 },
    );
  });
});
