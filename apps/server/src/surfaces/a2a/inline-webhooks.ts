/** Webhooks that come with a message (`configuration` of a send; A10, W1). */
import type { InlinePushConfig } from "@agent-service/a2a-protocol";
import type { CallContext } from "@agent-service/a2a-protocol/server";
import type { PushConfig, Statement, TaskHandle, Webhooks } from "@agent-service/agent-core/host";
import { newPushConfig } from "./core-push-configs.ts";

export interface InlineWebhook {
  /** The statements that make it durable with its task. */
  register(task: { readonly id: string; readonly context: string }): readonly Statement[];
  /** Starts deliveries, if the task was created. */
  watch(): void;
}

/** The webhooks of messages, for an executor. Every method raises what `Webhooks.check` raises. */
export interface InlineWebhooks {
  /** For a message that starts a task. Nothing is accepted if it rejects. */
  prepare(config: InlinePushConfig, call: CallContext): Promise<InlineWebhook>;
  /** For a message to an existing task, before the task takes it: checks that its webhook can be registered. */
  check(config: InlinePushConfig, taskId: string, call: CallContext): Promise<void>;
  /** Registers the webhook of a message that its task has taken; that of a repeated message exists already. */
  set(config: InlinePushConfig, task: TaskHandle, call: CallContext): Promise<void>;
}

export function createInlineWebhooks(webhooks: Webhooks): InlineWebhooks {
  return {
    async prepare(config, call) {
      await webhooks.check({ url: config.url, id: "", class: call.caller.class });
      let watch = (): void => {};
      return {
        register({ id, context }) {
          const registered = webhooks.register(newPushConfig({ id, ...config, taskId: id }, call, context));
          watch = () => registered.watch();
          return [registered.statement];
        },
        watch: () => watch(),
      };
    },
    async check({ url, id }, taskId, call) {
      await webhooks.check({ url, id: id ?? taskId, class: call.caller.class, task: taskId });
    },
    async set(config, { id, view, repeated }, call) {
      const own = newPushConfig({ id, ...config, taskId: id }, call, view.context);
      const isIt = (one: PushConfig): boolean => one.id === own.id && one.class === own.class;
      if (repeated && (await webhooks.list(id)).some(isIt)) return;
      await webhooks.set(own);
    },
  };
}
