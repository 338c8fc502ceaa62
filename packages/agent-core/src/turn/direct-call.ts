/**
 * A turn that makes one call which the operator asked for, instead of asking a model (M19). Its messages are those of a
 * model that made the call, so it is restored, approved and shown as any; its answer is the call's result.
 */
import { inputContent, messageBody } from "../context/index.ts";
import { type CallBatch, newBatch } from "./batch/call-batch.ts";
import { complete, messageRow } from "./finish.ts";
import type { TaskOptions } from "./task-options.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnState } from "./turn-state.ts";

/** Bytes of a result that a turn is ended with: all that a call's row has. */
const RESULT_BYTES = 16 * 1024 * 1024;

/** The batch to run; undefined: the call has its outcome already. */
export async function directBatch(
  state: TurnState,
  deps: TurnDeps,
  { name, args }: NonNullable<TaskOptions["call"]>,
): Promise<CallBatch | undefined> {
  if (state.batch !== undefined) return state.batch;
  if ((await storedResult(state, deps)) !== undefined) return undefined;
  const { record, conversation, carry } = state;
  const [asked] = record.view.history;
  const content = inputContent(asked?.from === "caller" ? asked.message : { messageId: "", parts: [] });
  const toolCalls = [{ id: `call_${deps.newId().replaceAll("-", "")}`, name, args }];
  conversation.messages.push({ role: "user", content }, { role: "assistant", text: "", toolCalls });
  carry.statements.push(
    messageRow(record, deps, "user", messageBody({ kind: "user", content })),
    messageRow(record, deps, "assistant", messageBody({ kind: "assistant", text: "", toolCalls })),
  );
  state.batch = newBatch(toolCalls);
  return state.batch;
}

/** Ends the turn with what the call resulted in. */
export async function endDirectCall(state: TurnState, deps: TurnDeps, batch: CallBatch | undefined): Promise<void> {
  const [call] = batch?.calls ?? [];
  const text = batch?.results.get(call?.id ?? "") ?? (await storedResult(state, deps)) ?? "";
  await complete(state, deps, [{ kind: "text", text }]);
}

async function storedResult(
  { record }: Pick<TurnState, "record">,
  { db, journal }: Pick<TurnDeps, "db" | "journal">,
): Promise<string | undefined> {
  const of = { task: record.view.id, limit: 1, bytes: RESULT_BYTES };
  const [row] = await db.read(journal.statements.selectCallsOfTask.bind(of));
  return typeof row?.[1] === "string" ? String(row[2] ?? "") : undefined;
}
