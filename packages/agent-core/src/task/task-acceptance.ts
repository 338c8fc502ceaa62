/** Accepts messages as new tasks: one commit holds the task and all that begins with it (A9, A15, R1; EN1, EN4). */
import { setImmediate } from "node:timers/promises";
import type { CommandRegistry } from "../command/index.ts";
import { messageBody, showMessage } from "../context/index.ts";
import { isConstraintError, type Statement } from "../database/index.ts";
import type { TaskEvent } from "../event/index.ts";
import type { Statements } from "../journal/index.ts";
import { freshTurn, modelCallId, outsideOf, type TaskOptions, type TurnDeps } from "../turn/index.ts";
import type { AcceptanceLimits } from "./acceptance-limits.ts";
import type { ContextGate, ContextName } from "./context-gate.ts";
import { askIncognito, asksIncognito, type IncognitoConversations, incognitoRow } from "./incognito.ts";
import { isLarge, type ReadMessage, readMessage, storedMessages } from "./prior-message.ts";
import { contextKey, queueEntryOf } from "./queue-entry.ts";
import { commandOfMessage, runCommand } from "./recorded/command-task.ts";
import { keyRow } from "./request-key.ts";
import type { TurnFrame } from "./resume-turn.ts";
import { type AcceptedTask, acceptedEvent, type StartTask } from "./start-task.ts";
import type { Steering } from "./steering.ts";
import { type TaskHandle, taskHandle } from "./task-handle.ts";
import type { TaskLookup } from "./task-lookup.ts";
import type { TurnRunner } from "./turn-runner.ts";

const NOTHING: readonly Statement[] = [];

export interface AcceptanceParts {
  readonly deps: TurnDeps;
  readonly runner: TurnRunner;
  readonly gate: ContextGate;
  readonly steering: Steering;
  readonly limits: AcceptanceLimits;
  readonly commands: CommandRegistry;
  readonly lookup: TaskLookup;
  readonly incognito: IncognitoConversations;
  /** Asked, for every new task, for what becomes durable with it. */
  readonly accompany?: ((task: AcceptedTask, at: number) => readonly Statement[]) | undefined;
}

/** Marks a conversation by its message. */
function taintedRow(
  { insertMessage }: Statements,
  { by, ...of }: ContextName & { readonly task: string; readonly at: number; readonly by: string },
) {
  return insertMessage.bind({ ...of, kind: "tainted", body: messageBody({ kind: "tainted", by }) });
}

export class TaskAcceptance {
  readonly #parts: AcceptanceParts;

  constructor(parts: AcceptanceParts) {
    this.#parts = parts;
  }

  /** As `TaskService.start`. */
  async start(start: StartTask): Promise<TaskHandle> {
    const { deps, gate, limits, commands, lookup } = this.#parts;
    limits.assertAccepting();
    const message = readMessage(start.input);
    if (isLarge(message)) await setImmediate();
    if (start.id !== undefined) {
      const known = await lookup.get(start.id, true);
      if (known !== undefined) return known;
    }
    if (start.key !== undefined && start.isNewKey !== true) {
      const known = await lookup.byKey(start.class, start.key);
      if (known !== undefined) return known;
    }
    const entry = queueEntryOf({ ...start, context: start.context ?? "" });
    if (start.context !== undefined) gate.assertOpen(entry.key);
    limits.assertMemory(start.class);
    limits.assertQueue(entry);
    const written = commandOfMessage(start);
    if (written === undefined) return this.accept(start, message, NOTHING);
    return runCommand(written, start, {
      deps,
      commands,
      accept: (meant) => this.accept(meant, meant.input === start.input ? message : readMessage(meant.input), NOTHING),
      isIncognito: async (asked, context) =>
        asksIncognito(asked.input) || (await this.#isWhole(asked, { class: asked.class, context })),
      byKey: (key) => lookup.byKey(start.class, key),
    });
  }

  /**
   * Accepts a message that is for the model, whatever else waits; `extra` becomes durable with it.
   * @throws TaskError overloaded: its context is being removed
   */
  async accept(asked: StartTask, message: ReadMessage, extra: readonly Statement[]): Promise<TaskHandle> {
    const { deps, runner, gate, steering, accompany, lookup } = this.#parts;
    const { journal, conversations, clock } = deps;
    const context = asked.context ?? deps.newId();
    const of = { class: asked.class, context };
    const belongs = this.#isWhole(asked, of);
    // Without it nothing else comes between what was checked before and what follows.
    const whole = belongs === false ? false : await belongs;
    const start = whole ? { ...asked, input: askIncognito(asked.input) } : asked;
    const entry = queueEntryOf({ ...of, origin: start.origin, role: start.role });
    gate.assertOpen(entry.key);
    const id = start.id ?? deps.newId();
    const free = runner.queue.free(entry);
    const incognito = asksIncognito(start.input);
    const before = start.context === undefined ? storedMessages(start.history ?? []) : [];
    const given: TaskOptions = before.length === 0 ? (start.options ?? {}) : { ...start.options, brought: true };
    const options: TaskOptions = incognito
      ? { ...given, incognito }
      : belongs === false
        ? given
        : { ...given, afterIncognito: true };
    const isConversation = options.purpose === undefined;
    // Steering that waits is read by the first model call, so its intent cannot be committed along with the task.
    const model =
      free && isConversation && steering.count(entry.key) === 0 ? this.#leadModel(start.options) : undefined;
    const accepted = acceptedEvent(start, of, free ? "running" : "queued");
    const intent: TaskEvent[] =
      model === undefined ? [] : [{ kind: "model.started", call: modelCallId(1), step: 1, model }];
    const at = clock.now();
    const messages = before.map((prior) =>
      journal.statements.insertMessage.bind({ ...of, task: id, kind: prior.kind, body: messageBody(prior), at }),
    );
    if (incognito) messages.push(incognitoRow({ ...of, task: id, at, whole }));
    // A turn that waits adds its message when it starts (`restoreTurn`).
    if (free && isConversation)
      messages.push(journal.statements.insertMessage.bind({ ...of, task: id, kind: "user", body: message.body, at }));
    const taintedBy = free && isConversation ? outsideOf(start.input, options) : undefined;
    if (taintedBy !== undefined) messages.push(taintedRow(journal.statements, { ...of, task: id, at, by: taintedBy }));
    const keys = start.key === undefined ? [] : [keyRow(deps, start.class, start.key, id)];
    // What the conversation held before this message; read beside the commit.
    const reads = free && start.context !== undefined && options.fresh !== true;
    const earlier = reads ? conversations.read(of, id) : undefined;
    earlier?.catch(() => {});
    const { record, committed } = journal.create(
      { id, ...of, origin: start.origin, options: JSON.stringify(options), parent: start.parent?.task },
      {
        label: "task.accept",
        events: [accepted, ...intent],
        statements: [
          ...[...messages, ...keys, ...extra],
          ...(start.alongside?.({ id, context }) ?? NOTHING),
          ...(accompany?.({ id, ...of, origin: start.origin }, at) ?? NOTHING),
        ],
      },
    );
    record.ending = start.ending;
    const prepare = async (frame: TurnFrame) => {
      const turn = freshTurn({ ...frame, options }, deps);
      const { conversation, step } = turn;
      if (earlier !== undefined) Object.assign(conversation, await earlier);
      if (taintedBy !== undefined) conversation.tainted = true;
      for (const prior of before) conversation.messages.push(...showMessage(prior));
      if (isConversation) conversation.messages.push({ role: "user", content: message.content });
      if (model === undefined) return turn;
      step.number = 1;
      step.call = { call: modelCallId(1), step: 1, model, startedAt: at };
      return turn;
    };
    try {
      if (free) await runner.runNow(record, { ...entry, reads: earlier !== undefined }, committed, prepare);
      else await runner.enqueue(record, entry, committed);
    } catch (error) {
      const known = isConstraintError(error) ? await lookup.byKey(start.class, start.key) : undefined;
      if (known !== undefined) return known;
      throw error;
    }
    return taskHandle(journal, record);
  }

  /** Whether the message belongs to a conversation that began incognito, or begins one. */
  #isWhole(start: StartTask, of: ContextName): Promise<boolean> | false {
    const { incognito, runner } = this.#parts;
    if (!asksIncognito(start.input) && !incognito.mayBeWhole(of)) return false;
    return incognito.isWhole(of, runner.queue.held(contextKey(of)));
  }

  #leadModel(options: TaskOptions | undefined): string | undefined {
    try {
      return this.#parts.deps.chooseModel(options?.model).name;
    } catch {
      // The turn fails with the name of the model that is missing.
      return undefined;
    }
  }
}
