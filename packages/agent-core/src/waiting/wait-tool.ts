import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import type { TaskService } from "../task/index.ts";
import type { DurableTimers, FireTimer } from "../timer/index.ts";

/** Longest wait, 30 days. */
const MAX_SECONDS = 2_592_000;
const MAX_THEN = 10_000;
const KIND = "wait";

/**
 * `wait(seconds, then)` (B85): ends the turn, and starts one in the same conversation when the time is
 * over. One wait of a conversation is pending at a time; a new one replaces it.
 */
export function waitTool(timers: Pick<DurableTimers, "set">): AnyTool {
  return defineTool({
    name: "wait",
    description:
      "Wait without doing anything: your turn ends now, and after the given time you are told in this conversation to go on with what you name here. Use it instead of asking again and again. A new wait replaces the one that is pending.",
    input: v.object({
      seconds: v.pipe(
        v.number(),
        v.minValue(1, "wait at least 1 second"),
        v.maxValue(MAX_SECONDS, "wait at most 30 days"),
        v.description("From now on."),
      ),
      // biome-ignore lint/suspicious/noThenProperty: the name of the parameter is fixed (B85)
      then: v.pipe(
        v.string(),
        v.trim(),
        v.nonEmpty(),
        v.maxLength(MAX_THEN),
        v.description("What to do when the time is over, in full: it is all you are told then."),
      ),
    }),
    effect: "idempotent",
    availableTo: ["lead", "peers"],
    content: "own",
    present: {
      asks: "Wait {seconds} s?",
      doing: "Setting a timer of {seconds} s",
      done: "Waiting {seconds} s, then: {then}",
    },
    endsTurn: true,
    async run({ seconds, then: what }, { callId, caller, contextId, now }) {
      const due = now().getTime() + Math.round(seconds * 1000);
      const timer = { id: callId, kind: KIND, class: caller.class, context: contextId, due, body: { seconds, what } };
      await timers.set(timer, { alone: true });
      return `Waiting until ${new Date(due).toISOString()}, then: ${what}`;
    },
  });
}

/** Fires waits: an unattended turn (R7), accepted in the commit that removes the timer. */
export function waitTimers(service: Pick<TaskService, "start">): { readonly [kind: string]: FireTimer } {
  return {
    async [KIND]({ id, class: caller, context, body }, settle, key) {
      const { seconds, what } = body as { readonly seconds: number; readonly what: string };
      const text = `(The ${seconds} s you wanted to wait are over.)\n${what}`;
      await service.start({
        class: caller,
        context,
        origin: "schedule",
        input: { messageId: key, parts: [{ kind: "text", text }] },
        options: { unattended: true },
        key: { key, digest: id },
        alongside: () => [settle.remove],
      });
    },
  };
}
