import { invalidParams } from "../error/index.ts";
import { listTasksFields, listTasksRequest, readParams } from "../params/index.ts";
import type { ListTasksRequest } from "../task/index.ts";
import { eitherCase } from "./either-case.ts";
import { stateNamed } from "./state.ts";

const listParams = eitherCase(listTasksFields(stateNamed));

/** Params of ListTasks (A2A 1.0.1 "ListTasksRequest"). Throws `A2AError` INVALID_PARAMS. */
export function readListTasksParams(params: unknown): ListTasksRequest {
  // JSON-RPC also knows params by position; to the validator an array is an object, here one that asks for nothing.
  if (Array.isArray(params)) throw invalidParams("params: must be an object");
  return listTasksRequest(readParams(listParams, params ?? {}));
}
