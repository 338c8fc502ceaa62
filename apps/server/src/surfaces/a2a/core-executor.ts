/** The protocol's executor port over the engine (A1): a mapping without state, except caches keyed by what they cache. */
import { A2AError, taskNotFound } from "@agent-service/a2a-protocol";
import type { AgentExecutor, CallContext, Caller } from "@agent-service/a2a-protocol/server";
import {
  isTerminalState,
  OPERATOR_CLASS,
  openTurn,
  type TaskHandle,
  type TaskService,
  type Webhooks,
} from "@agent-service/agent-core/host";
import { corePushConfigs } from "./core-push-configs.ts";
import { createFrameCaches } from "./frame-cache.ts";
import { HandleReading } from "./handle-reading.ts";
import { createInlineWebhooks } from "./inline-webhooks.ts";
import { inputOfMessage } from "./input-of-message.ts";
import { protocolError } from "./protocol-error.ts";
import { keyOf, permittedOptions, type SubmissionRules, traceOf } from "./submission-options.ts";

export interface CoreExecutorOptions extends SubmissionRules {
  readonly tasks: TaskService;
  readonly webhooks: Webhooks;
}

/** Whether a caller may see a task: a class sees its own, the operator sees all (A16). */
function visible(handle: TaskHandle | undefined, caller: Caller): TaskHandle | undefined {
  if (handle === undefined || caller.class === OPERATOR_CLASS) return handle;
  return handle.view.class === caller.class ? handle : undefined;
}

export function coreExecutor({ tasks, webhooks, ...rules }: CoreExecutorOptions): AgentExecutor {
  const cacheFor = createFrameCaches();

  async function find(taskId: string, { caller }: CallContext): Promise<TaskHandle | undefined> {
    return visible(await tasks.get(taskId), caller);
  }
  const inline = createInlineWebhooks(webhooks);

  return {
    pushConfigs: corePushConfigs({ webhooks, find }),
    async submit(submission, call) {
      const options = await permittedOptions(submission, call, rules);
      try {
        const webhook = submission.pushConfig && (await inline.prepare(submission.pushConfig, call));
        const { task: handle } = await openTurn(tasks, {
          class: call.caller.class,
          origin: "a2a",
          input: inputOfMessage(submission),
          options,
          trace: traceOf(submission, call),
          ...(webhook && { alongside: (task) => webhook.register(task) }),
          ...(submission.contextId === undefined ? {} : { context: submission.contextId }),
          ...keyOf(submission),
        });
        if (!handle.repeated) webhook?.watch();
        return new HandleReading(handle, cacheFor(call), true);
      } catch (error) {
        throw protocolError(error);
      }
    },
    async read(taskId, call) {
      const handle = await find(taskId, call);
      return handle === undefined ? undefined : new HandleReading(handle, cacheFor(call));
    },
    async answer(taskId, reply, call) {
      try {
        if (reply.pushConfig) await inline.check(reply.pushConfig, taskId, call);
        const handle = await tasks.answer(taskId, {
          class: call.caller.class,
          input: inputOfMessage(reply),
          refuseApproval: call.caller.refuseDecision,
          ...keyOf(reply),
        });
        if (reply.pushConfig) await inline.set(reply.pushConfig, handle, call);
        return new HandleReading(handle, cacheFor(call));
      } catch (error) {
        throw protocolError(error, taskId);
      }
    },
    async steer(taskId, message, call) {
      const handle = await find(taskId, call);
      if (handle === undefined) throw taskNotFound(taskId);
      const { view } = handle;
      if (isTerminalState(view.state)) throw new A2AError("UNSUPPORTED_OPERATION", "The task is over");
      const { key } = keyOf(message);
      try {
        if (message.pushConfig) await inline.check(message.pushConfig, taskId, call);
        await tasks.steer({
          class: view.class,
          context: view.context,
          origin: "a2a",
          input: inputOfMessage(message),
          ...(key === undefined ? {} : { key: { ...key, class: call.caller.class, task: taskId } }),
        });
        if (message.pushConfig) await inline.set(message.pushConfig, handle, call);
      } catch (error) {
        throw protocolError(error, taskId);
      }
      return new HandleReading(handle, cacheFor(call));
    },
    async cancel(taskId, call) {
      if ((await find(taskId, call)) === undefined) throw taskNotFound(taskId);
      try {
        return new HandleReading(await tasks.cancel(taskId), cacheFor(call));
      } catch (error) {
        throw protocolError(error, taskId);
      }
    },
  };
}
