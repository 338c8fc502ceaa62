/** Webhooks of a task, the same under every method name and binding (W1). */
import { A2AError } from "../../error/index.ts";
import { type PushConfigRequest, type PushNotificationConfig, withoutSecrets } from "../../push/index.ts";
import type { CallContext } from "../call-context.ts";
import type { PushOperation } from "../dialect/dialect.ts";
import type { EndpointParts, Exchange } from "../exchange/exchange.ts";
import type { PushConfigs } from "../push-configs.ts";
import { jsonReply } from "./json-reply.ts";

/** Answers an operation on webhooks. Throws `A2AError` and what the executor throws. */
export async function pushReply(
  parts: EndpointParts,
  exchange: Exchange,
  operation: PushOperation,
  params: unknown,
): Promise<Response> {
  const { pushConfigs } = parts.executor;
  if (pushConfigs === undefined) throw new A2AError("PUSH_NOTIFICATION_NOT_SUPPORTED");
  return jsonReply(parts, exchange, await resultOf(pushConfigs, exchange, operation, params));
}

async function resultOf(
  pushConfigs: PushConfigs,
  { dialect, call }: Exchange,
  operation: PushOperation,
  params: unknown,
): Promise<string> {
  switch (operation) {
    case "push-set": {
      const asked = dialect.read.pushSet(params);
      return dialect.pushConfig(
        withoutSecrets(await pushConfigs.set({ ...asked, id: asked.id ?? asked.taskId }, call)),
      );
    }
    case "push-get": {
      const asked = dialect.read.pushConfig(params);
      const config = await configOf(pushConfigs, asked, call);
      if (config === undefined) throw noConfig(asked);
      return dialect.pushConfig(withoutSecrets(config));
    }
    case "push-list": {
      const { taskId, ...page } = dialect.read.pushList(params);
      const { configs, nextPageToken } = await pushConfigs.list(taskId, page, call);
      return dialect.pushConfigs({
        configs: configs.map(withoutSecrets),
        ...(nextPageToken !== undefined && { nextPageToken }),
      });
    }
    case "push-delete": {
      const { taskId, id } = dialect.read.pushConfig(params);
      await pushConfigs.delete(taskId, id ?? taskId, call);
      return dialect.removed;
    }
  }
}

/**
 * The config that is asked for. 0.3 lets the caller leave its id out: then it is the one without a name of its own, which
 * goes by the task's id, or, where all have names, the oldest.
 */
async function configOf(
  pushConfigs: PushConfigs,
  { taskId, id }: PushConfigRequest,
  call: CallContext,
): Promise<PushNotificationConfig | undefined> {
  const found = await pushConfigs.get(taskId, id ?? taskId, call);
  if (found !== undefined || id !== undefined) return found;
  return (await pushConfigs.list(taskId, { pageSize: 1 }, call)).configs[0];
}

/** The protocol has one code for what is not there (A2A 1.0.1 "Errors per operation"). */
function noConfig({ taskId, id }: PushConfigRequest): A2AError {
  if (id === undefined) return new A2AError("TASK_NOT_FOUND", `Task ${taskId} has no push notification config`);
  return new A2AError("TASK_NOT_FOUND", `Task ${taskId} has no push notification config ${id}`);
}
