/** Clients of one life of the service: they work on the trial's jobs until they are done or the process ended. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hook, Job, Put } from "./jobs.ts";
import { isTerminal, type Ledger, promptOf } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { Receivers } from "./receivers.ts";
import { steerSession } from "./steer-session.ts";
import { type Call, call, type Frame, LostError, put, type Reply, refusal, stream, type WireTask } from "./wire.ts";

/** A request whose answer was lost and that may be sent again, as it was. */
export interface Repeat {
  readonly token: string;
  readonly call: Call;
  /** Sent again as a stream: the task from its first event on. */
  readonly streams?: boolean;
  readonly answer?: { readonly promptId: string; readonly marker: string; readonly taskId: string };
}

/** A stream that broke, and the number of the last event its client saw. */
export interface PickUp {
  readonly taskId: string;
  readonly cursor: number;
}

/** What survives a life besides the ledger. */
export interface Agenda {
  /** Broken streams that their clients go on reading. */
  readonly pickUps: PickUp[];
  /** Not sent yet. */
  readonly jobs: Job[];
  /** Keyed requests to send again: lost ones, and some that were answered. */
  readonly repeats: Repeat[];
}

/** Replies one client gives to one task before it leaves the rest to others. */
const MOST_REPLIES = 12;
/** Replies after which a task that asks again and again is given up. */
const REPLIES_AT_ALL = 100;

/** One life's clients. */
export class Clients {
  readonly #url: string;
  readonly #ledger: Ledger;
  readonly #agenda: Agenda;
  readonly #random: Random;
  readonly #receivers: Receivers;

  constructor(
    url: string,
    receivers: Receivers,
    { ledger, agenda }: { ledger: Ledger; agenda: Agenda },
    random: Random,
  ) {
    this.#url = url;
    this.#receivers = receivers;
    this.#ledger = ledger;
    this.#agenda = agenda;
    this.#random = random;
  }

  /** Works until there is nothing left to do. @throws LostError once every client has lost its connection */
  async work(actors: number): Promise<void> {
    const clients = Array.from({ length: actors }, (_, i) => this.#act(this.#random.fork(`actor${i}`)));
    const failures = (await Promise.allSettled(clients)).filter((end) => end.status === "rejected");
    const worst = failures.find(({ reason }) => !(reason instanceof LostError)) ?? failures[0];
    if (worst !== undefined) throw worst.reason;
  }

  /** Looks at everything known: it must be there, and what had ended must be as it was. */
  async lookAround(): Promise<WireTask[]> {
    const seen: WireTask[] = [];
    for (const known of this.#ledger.tasks.values()) {
      const reply = await call(this.#url, { method: "tasks/get", params: { id: known.id } });
      if (reply.kind === "error") {
        this.#ledger.blame(`EN9: acknowledged task ${known.id} (${known.token}) is lost: ${reply.message}`);
        continue;
      }
      this.#ledger.shown(reply.task);
      seen.push(reply.task);
    }
    return seen;
  }

  /** Answers whatever a task asks until it asks nothing any more. */
  async answerAll(taskId: string, random: Random): Promise<void> {
    const reply = await call(this.#url, { method: "tasks/get", params: { id: taskId } });
    if (reply.kind === "task") await this.#converse(reply.task, random, REPLIES_AT_ALL);
  }

  async #act(random: Random): Promise<void> {
    const { pickUps, repeats, jobs } = this.#agenda;
    for (;;) {
      const pickUp = pickUps.shift();
      const repeat = pickUp === undefined ? repeats.shift() : undefined;
      const job = pickUp === undefined && repeat === undefined ? jobs.shift() : undefined;
      if (pickUp !== undefined) await this.#pickUp(pickUp, random);
      else if (repeat !== undefined) await this.#repeat(repeat);
      else if (job !== undefined) await this.#request(job, random.fork(job.token));
      else return;
    }
  }

  /** Resumes a stream that broke or was left, with the cursor in the header or the metadata (A20). */
  async #pickUp({ taskId, cursor }: PickUp, random: Random): Promise<void> {
    const inHeader = random.chance(0.5);
    const params = inHeader ? { id: taskId } : { id: taskId, metadata: { after: cursor } };
    await this.#watch(taskId, params, inHeader ? { "last-event-id": String(cursor) } : {}, cursor);
  }

  async #repeat(repeat: Repeat): Promise<void> {
    try {
      if (repeat.streams === true) return await this.#streamAgain(repeat);
      const reply = await call(this.#url, repeat.call);
      if (repeat.answer !== undefined) {
        this.#replied(repeat.answer, reply);
        return;
      }
      if (reply.kind === "task") this.#acknowledged(repeat.token, reply.task);
      else this.#ledger.blame(`A15: repeating ${repeat.token} was refused: ${reply.code} ${reply.message}`);
    } catch (error) {
      if (error instanceof LostError) this.#agenda.repeats.push(repeat);
      throw error;
    }
  }

  async #streamAgain({ token, call: asked }: Repeat): Promise<void> {
    const frames: Frame[] = [];
    const refused = await stream(this.#url, { ...asked, method: "message/stream" }, (frame) => {
      frames.push(frame);
      if (frames.length > 1) return true;
      const taskId = (JSON.parse(frame.json) as WireTask).id;
      this.#ledger.acknowledge(token, taskId);
      this.#ledger.streams.push({ taskId, frames });
      return true;
    });
    if (refused?.kind === "error") this.#ledger.blame(`A15: repeating ${token} was refused: ${refused.message}`);
  }

  /** Leaves an item or an issue; under a key it is left again when the answer was lost. */
  async #put(job: Job, { path, body }: Put): Promise<void> {
    try {
      const reply = await put(this.#url, path, body, job.key);
      if (reply.status !== 200)
        return this.#ledger.blame(`the service refused ${job.token}: ${reply.status} ${reply.text}`);
      this.#ledger.puts.push({ token: job.token, path, id: reply.id });
      if (reply.task !== undefined) this.#ledger.acknowledge(job.token, reply.task);
    } catch (error) {
      if (error instanceof LostError && job.key !== undefined) this.#agenda.jobs.push(job);
      throw error;
    }
  }

  async #steer(job: Job, steer: NonNullable<Job["steer"]>): Promise<void> {
    try {
      await steerSession(this.#url, job, steer, this.#ledger);
    } catch (error) {
      // One that may have been withdrawn is not sent again: its name is that of a deleted message.
      if (error instanceof LostError && !this.#ledger.steered.has(job.token)) this.#agenda.jobs.push(job);
      throw error;
    }
  }

  async #request(job: Job, random: Random): Promise<void> {
    if (job.put !== undefined) return this.#put(job, job.put);
    if (job.steer !== undefined) return this.#steer(job, job.steer);
    const headers: Record<string, string> = job.key === undefined ? {} : { "idempotency-key": job.key };
    const message = {
      role: "user",
      parts: [{ kind: "text", text: job.text }],
      ...(job.contextId ? { contextId: job.contextId } : {}),
    };
    const configuration = {
      ...(job.mode === "nowait" && { blocking: false }),
      ...(job.hook && { pushNotificationConfig: this.#config(job.hook) }),
    };
    const params = { message, configuration };
    const streams = job.mode === "stream" && random.chance(0.5);
    const again: Repeat = { token: job.token, call: { method: "message/send", params, headers }, streams };
    try {
      if (job.mode === "stream") await this.#follow(job, { method: "message/stream", params, headers }, random);
      else await this.#send(job, { method: "message/send", params, headers }, random);
      if (job.key !== undefined && random.chance(0.2)) this.#agenda.repeats.push(again);
    } catch (error) {
      if (error instanceof LostError && job.key !== undefined) this.#agenda.repeats.push(again);
      throw error;
    }
  }

  async #send(job: Job, asked: Call, random: Random): Promise<void> {
    const reply = await call(this.#url, asked);
    if (reply.kind === "error") {
      this.#ledger.blame(`the service refused ${job.token}: ${reply.code} ${reply.message}`);
      return;
    }
    this.#acknowledged(job.token, reply.task);
    const { id } = reply.task;
    if (job.cancelAfter !== undefined) await this.#cancel(id, job.cancelAfter);
    if (job.lateHook !== undefined) await this.#register(id, job.lateHook);
    if (job.mode === "nowait") await this.#watch(id, { id });
    if (!job.answersAtOnce) return;
    const now = await call(this.#url, { method: "tasks/get", params: { id } });
    if (now.kind === "task") await this.#converse(now.task, random, MOST_REPLIES);
  }

  #config({ name, manners }: Hook): { url: string; id: string; token: string } {
    return { url: this.#receivers.urlOf(manners, name), id: name, token: `token-of-${name}` };
  }

  async #register(taskId: string, hook: Hook): Promise<void> {
    const config = this.#config(hook);
    const asked: Call =
      hook.version === "1.0"
        ? {
            method: "CreateTaskPushNotificationConfig",
            params: { taskId, ...config },
            headers: { "a2a-version": "1.0" },
          }
        : { method: "tasks/pushNotificationConfig/set", params: { taskId, pushNotificationConfig: config } };
    const refused = await refusal(this.#url, asked);
    if (refused === undefined) this.#ledger.hooks.push({ taskId, hook });
    else this.#ledger.blame(`W1: webhook ${hook.name} was refused: ${refused}`);
  }

  async #cancel(taskId: string, after: number): Promise<void> {
    await sleep(after);
    const known = this.#ledger.tasks.get(taskId);
    if (known !== undefined) known.cancelAsked = true;
    const reply = await call(this.#url, { method: "tasks/cancel", params: { id: taskId } });
    if (reply.kind === "error") this.#ledger.blame(`A8: cancelling ${taskId} was refused: ${reply.message}`);
    else if (!isTerminal(reply.task)) this.#ledger.blame(`A8: ${taskId} is ${reply.task.status.state} after a cancel`);
    else this.#ledger.shown(reply.task);
  }

  async #follow(job: Job, asked: Call, random: Random): Promise<void> {
    let taskId = "";
    const frames: Frame[] = [];
    let cancelling: Promise<unknown> = Promise.resolve();
    const onFrame = (frame: Frame): boolean => {
      frames.push(frame);
      if (frames.length === 1) {
        taskId = (JSON.parse(frame.json) as WireTask).id;
        this.#ledger.acknowledge(job.token, taskId);
        this.#ledger.streams.push({ taskId, frames });
        // The failure of a cancel is that of the stream too: both lose their connection.
        if (job.cancelAfter !== undefined)
          cancelling = this.#cancel(taskId, job.cancelAfter).catch((error: unknown) => error);
      }
      return frames.length !== job.leaveAfter;
    };
    const refused = await stream(this.#url, asked, onFrame).catch((error: unknown) => {
      if (taskId !== "") this.#agenda.pickUps.push({ taskId, cursor: frames.at(-1)?.id ?? 1 });
      throw error;
    });
    if (refused?.kind === "error")
      this.#ledger.blame(`the service refused ${job.token}: ${refused.code} ${refused.message}`);
    if (taskId === "") return;
    if (frames.length === job.leaveAfter) await this.#pickUp({ taskId, cursor: frames.at(-1)?.id ?? 1 }, random);
    const failed = await cancelling;
    if (failed instanceof Error) throw failed;
    if (job.lateHook !== undefined) await this.#register(taskId, job.lateHook);
    if (job.answersAtOnce) await this.answerAll(taskId, random);
  }

  /** Resubscribes and records; with a cursor, a stream that breaks is picked up again. */
  async #watch(taskId: string, params: unknown, headers: Record<string, string> = {}, cursor?: number): Promise<void> {
    const frames: Frame[] = [];
    this.#ledger.streams.push({ taskId, frames, ...(cursor === undefined ? {} : { cursor }) });
    const asked = { method: "tasks/resubscribe", params, headers };
    const refused = await stream(this.#url, asked, (frame) => frames.push(frame) > 0).catch((error: unknown) => {
      const last = frames.at(-1)?.id ?? cursor;
      if (last !== undefined) this.#agenda.pickUps.push({ taskId, cursor: last });
      throw error;
    });
    if (refused?.kind === "error")
      this.#ledger.blame(`EN9: resubscribing to ${taskId} was refused: ${refused.message}`);
  }

  #acknowledged(token: string, task: WireTask): void {
    this.#ledger.acknowledge(token, task.id);
    this.#ledger.shown(task);
  }

  async #converse(first: WireTask, random: Random, most: number): Promise<void> {
    let task = first;
    for (let replies = 0; replies < most; replies++) {
      this.#ledger.shown(task);
      const prompt = promptOf(task);
      if (prompt === undefined) return;
      const next = await this.#answer(task, prompt, random);
      if (next === undefined) return;
      task = next;
    }
    if (most === REPLIES_AT_ALL) this.#ledger.blame(`task ${first.id} asks without end`);
  }

  /** Answers one prompt: wrongly, twice at once, as text or as data, with or without a key. Returns the task after it. */
  async #answer(
    task: WireTask,
    prompt: { promptId: string; kind: string },
    random: Random,
  ): Promise<WireTask | undefined> {
    const { promptId, kind } = prompt;
    const marker = kind === "approval" ? "" : `answer-${random.int(0, 1e9)}`;
    const decision = random.chance(0.75) ? "approve" : "decline";
    const value = kind === "approval" ? decision : kind === "form" ? { word: marker } : marker;
    const asText = kind !== "form" && random.chance(0.25);
    const part = asText ? { kind: "text", text: value } : { kind: "data", data: { promptId, answer: value } };
    const key = random.chance(0.6) ? `reply-${promptId}` : undefined;
    const message = { role: "user", taskId: task.id, contextId: task.contextId, parts: [part] };
    const nowait = random.chance(0.3) ? { configuration: { blocking: false } } : {};
    const asked: Call = {
      method: "message/send",
      params: { message, ...nowait },
      headers: key === undefined ? {} : { "idempotency-key": key },
    };
    const answer = { taskId: task.id, promptId, marker };
    if (kind === "form" && random.chance(0.3)) await this.#answerWrongly(task, promptId);
    const twice = !asText && random.chance(0.25);
    try {
      const replies = await Promise.all([
        this.#deliver(answer, asked),
        ...(twice ? [this.#deliver(answer, asked)] : []),
      ]);
      const accepted = replies.filter((reply) => reply !== undefined);
      if (twice && key === undefined && accepted.length > 1)
        this.#ledger.blame(`A13: prompt ${promptId} took two answers`);
      if (accepted[0] === undefined) return undefined;
      if (nowait.configuration !== undefined) {
        await this.#watch(task.id, { id: task.id });
        const now = await call(this.#url, { method: "tasks/get", params: { id: task.id } });
        return now.kind === "task" ? now.task : undefined;
      }
      return accepted[0];
    } catch (error) {
      if (error instanceof LostError && key !== undefined) {
        this.#agenda.repeats.push({ token: "", call: asked, answer });
      }
      throw error;
    }
  }

  async #answerWrongly(task: WireTask, promptId: string): Promise<void> {
    const parts = [{ kind: "data", data: { promptId, answer: { word: 7 } } }];
    const message = { role: "user", taskId: task.id, contextId: task.contextId, parts };
    const reply = await call(this.#url, { method: "message/send", params: { message } });
    if (reply.kind !== "task") return;
    this.#ledger.shown(reply.task);
    // The task may have ended meanwhile; as long as it waits, it waits for this.
    if (reply.task.status.state === "input-required" && promptOf(reply.task)?.promptId !== promptId) {
      this.#ledger.blame(`A13: a wrong answer moved ${task.id} past prompt ${promptId}`);
    }
  }

  async #deliver(answer: NonNullable<Repeat["answer"]>, asked: Call): Promise<WireTask | undefined> {
    return this.#replied(answer, await call(this.#url, asked));
  }

  #replied(answer: NonNullable<Repeat["answer"]>, reply: Reply): WireTask | undefined {
    if (reply.kind === "error") {
      if (reply.code !== -32_002)
        this.#ledger.blame(`A13: a reply to ${answer.promptId} was refused: ${reply.code} ${reply.message}`);
      return undefined;
    }
    if (reply.task.id !== answer.taskId) {
      // Text to a task that does not wait any more is a new task (A9).
      this.#acknowledged("", reply.task);
      return undefined;
    }
    this.#ledger.answers.push(answer);
    this.#ledger.shown(reply.task);
    return reply.task;
  }
}
