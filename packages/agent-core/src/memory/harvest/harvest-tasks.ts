/** The tasks that ask a model what of a conversation is worth remembering. */
import { isTerminalState, type TaskView } from "../../event/index.ts";
import { HARVEST_INSTRUCTIONS, type HarvestQuestion, harvestQuestion, harvestRequest } from "../../model/index.ts";
import { OPERATOR_CLASS } from "../../share/index.ts";
import { INTERRUPTED, type TaskService } from "../../task/index.ts";
import { createToolbox } from "../../tool/index.ts";
import type { TurnRole } from "../../turn/index.ts";
import { type Harvest, readHarvest } from "./harvest-answer.ts";
import type { HarvestRow, HarvestRows } from "./harvest-rows.ts";

/** What a model is asked, up to which turn. */
export interface Asked {
  readonly question: Pick<HarvestQuestion, "messages" | "known">;
  readonly upto: string;
  /** When that turn ended, in epoch milliseconds. */
  readonly endedAt: number;
}

/** `counts`: it is one of the tries. */
export type Answered =
  | { readonly harvest: Harvest; readonly task: string }
  | { readonly harvest: undefined; readonly problem: string; readonly counts: boolean };

export interface HarvestTasksOptions {
  readonly rows: Pick<HarvestRows, "asked">;
  readonly service: Pick<TaskService, "start" | "get" | "cancel">;
  /** Undefined: the lead. Asked at each. */
  readonly model: () => string | undefined;
  readonly newId: () => string;
  /** Deletes what a task was shown and answered; its numbers stay. */
  readonly erase: (task: string) => Promise<void>;
}

/** The role of its tasks. */
const HARVEST_ROLE = "harvest";
/** Of an answer. */
export const MAX_TOKENS = 4_000;

/** The role of its tasks: no tools, and a text of their own. */
export function harvestRoles(): { readonly [name: string]: TurnRole } {
  return { [HARVEST_ROLE]: { toolbox: createToolbox([]), system: HARVEST_INSTRUCTIONS, maxRounds: 0 } };
}

export class HarvestTasks {
  readonly #options: HarvestTasksOptions;

  constructor(options: HarvestTasksOptions) {
    this.#options = options;
  }

  /** Ends one that may be erased already. */
  async cancel(task: string): Promise<void> {
    const { service } = this.#options;
    if ((await service.get(task)) !== undefined) await service.cancel(task);
  }

  /** What a task was asked that a former process began; undefined: it is gone. */
  async begun(task: string): Promise<Asked | undefined> {
    const view = (await this.#options.service.get(task))?.view;
    const [first] = view?.history ?? [];
    if (first?.from !== "caller") return undefined;
    const { parts, metadata } = first.message;
    const [part] = parts;
    const question = part?.kind === "text" ? harvestQuestion(part.text) : undefined;
    const { upto, ended_at: endedAt } = metadata ?? {};
    if (question === undefined || typeof upto !== "string" || typeof endedAt !== "number") return undefined;
    return { question, upto, endedAt };
  }

  /** Asks again once, where the answer cannot be read. */
  async ask(row: HarvestRow, asked: Asked): Promise<Answered> {
    const { erase } = this.#options;
    let problem: string | undefined;
    let begun = row.task;
    for (let attempt = 0; attempt < 2; attempt++) {
      const { id: task, state, failure, answer = [] } = await this.#answered(row.session, { ...asked, problem }, begun);
      begun = undefined;
      if (!isTerminalState(state) || failure?.code === INTERRUPTED.code)
        return { harvest: undefined, problem: "a restart ended it", counts: false };
      if (state !== "completed") {
        await erase(task);
        return {
          harvest: undefined,
          problem: `the model failed: ${failure?.message ?? "its task was canceled"}`,
          counts: true,
        };
      }
      const text = answer.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
      const read = readHarvest(text, asked.question);
      if (typeof read !== "string") return { harvest: read, task };
      problem = read;
      await erase(task);
    }
    return { harvest: undefined, problem: `the model's answer could not be read: ${problem}`, counts: true };
  }

  async #answered(
    session: string,
    { question, problem, upto, endedAt }: Asked & { readonly problem: string | undefined },
    begun: string | undefined,
  ): Promise<Readonly<TaskView>> {
    const { service, rows, newId } = this.#options;
    const model = this.#options.model();
    const taken = begun === undefined ? undefined : await service.get(begun);
    const id = newId();
    const handle =
      taken ??
      (await service.start({
        ...{ id, class: OPERATOR_CLASS, context: contextOf(id), origin: "auxiliary", role: HARVEST_ROLE },
        parent: { task: upto, call: HARVEST_ROLE },
        input: {
          messageId: newId(),
          parts: [{ kind: "text", text: harvestRequest({ ...question, problem }) }],
          metadata: {
            ...{ subagent_type: HARVEST_ROLE, description: "Extracts memories from a conversation" },
            ...{ upto, ended_at: endedAt },
          },
        },
        options: { ...(model !== undefined && { model }), unattended: true, sampling: { maxTokens: MAX_TOKENS } },
        alongside: () => [rows.asked(session, id)],
      }));
    return handle.settled();
  }
}

/** The conversation of a task that extracts. */
export function contextOf(task: string): string {
  return `harvest:${task}`;
}
