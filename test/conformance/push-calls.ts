/** The push config methods, with one signature for both versions and bindings. */
import type { Json, Outcome, Speaker } from "./speaker.ts";

/** The four methods; configs go in and come out flat, as 1.0 has them. */
export interface PushCalls {
  set(taskId: string, config: Json): Promise<Outcome>;
  get(taskId: string, id: string): Promise<Outcome>;
  /** The result holds `configs`. */
  list(taskId: string): Promise<Outcome>;
  remove(taskId: string, id: string): Promise<Outcome>;
}

/** The methods of this caller, with these headers. */
export function pushCalls(caller: Speaker, headers: HeadersInit = {}): PushCalls {
  const old = caller.version === "0.3";
  const pathOf = (taskId: string, id = "") =>
    `/tasks/${encodeURIComponent(taskId)}/pushNotificationConfigs${id === "" ? "" : `/${encodeURIComponent(id)}`}`;
  const named = (taskId: string, id: string): Json =>
    old ? { id: taskId, pushNotificationConfigId: id } : { taskId, id };
  const methodOf = (name: string, current: string) => (old ? `tasks/pushNotificationConfig/${name}` : current);
  async function flat(answer: Promise<Outcome>): Promise<Outcome> {
    const outcome = await answer;
    return outcome.error === undefined ? { ...outcome, result: flatConfig(outcome.result) } : outcome;
  }
  return {
    set(taskId, config) {
      const asked = old ? { taskId, pushNotificationConfig: oldConfig(config) } : { taskId, ...config };
      const method = methodOf("set", "CreateTaskPushNotificationConfig");
      return flat(caller.call({ rpc: [method, asked], rest: ["POST", pathOf(taskId), asked] }, headers));
    },
    get(taskId, id) {
      const method = methodOf("get", "GetTaskPushNotificationConfig");
      return flat(caller.call({ rpc: [method, named(taskId, id)], rest: ["GET", pathOf(taskId, id)] }, headers));
    },
    async list(taskId) {
      const method = methodOf("list", "ListTaskPushNotificationConfigs");
      const asked = old ? { id: taskId } : { taskId };
      const outcome = await caller.call({ rpc: [method, asked], rest: ["GET", pathOf(taskId)] }, headers);
      if (outcome.error !== undefined) return outcome;
      const configs = (old ? outcome.result : outcome.result.configs) as Json[];
      return { ...outcome, result: { configs: configs.map(flatConfig) } };
    },
    remove(taskId, id) {
      const method = methodOf("delete", "DeleteTaskPushNotificationConfig");
      return caller.call({ rpc: [method, named(taskId, id)], rest: ["DELETE", pathOf(taskId, id)] }, headers);
    },
  };
}

/** A config inside a send's configuration. */
export function inlineConfig({ version }: Speaker, config: Json): Json {
  return version === "0.3" ? { pushNotificationConfig: oldConfig(config) } : { taskPushNotificationConfig: config };
}

function oldConfig({ authentication, ...config }: Json): Json {
  if (authentication === undefined) return config;
  const { scheme, credentials } = authentication as Json;
  return { ...config, authentication: { schemes: [scheme], credentials } };
}

function flatConfig(value: Json): Json {
  return value.pushNotificationConfig === undefined
    ? value
    : { taskId: value.taskId, ...(value.pushNotificationConfig as Json) };
}
