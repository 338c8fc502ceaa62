import * as v from "valibot";
import { listTasksFields, listTasksRequest, readParams } from "../params/index.ts";
import type { ListTasksRequest } from "../task/index.ts";
import { stateNamed } from "./state.ts";

const listParams = v.object(listTasksFields(stateNamed));

/**
 * Params of 0.3's list of tasks, which exists over HTTP+JSON alone and which 0.3 does not describe: 1.0's, with 0.3's
 * names of the states. Throws `A2AError` INVALID_PARAMS.
 */
export function readListTasksParams(params: unknown): ListTasksRequest {
  return listTasksRequest(readParams(listParams, params));
}
