/** What a request for a list of tasks is made of, but for the names of states (A2A 1.0.1 "ListTasksRequest"). */
import * as v from "valibot";
import type { ListTasksRequest, TaskState } from "../task/index.ts";
import { historyLength, name } from "./fields.ts";

/** Most tasks of a page. */
const MAX_PAGE = 100;

/** How many items a page may have, or nothing. */
export const pageSize = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PAGE)));

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** A point in time, or nothing. */
const timestamp = v.nullish(
  v.pipe(
    v.string(),
    v.check(
      (text) => text === "" || (ISO.test(text) && !Number.isNaN(Date.parse(text))),
      "must be an ISO 8601 time such as 2026-01-31T09:00:00.000Z",
    ),
  ),
);

/** The fields. `stateNamed`: the state behind a name of the version, undefined for what is no name. */
export function listTasksFields(stateNamed: (name: string) => TaskState | undefined) {
  const state = v.pipe(
    v.string(),
    v.check((text) => text === "" || stateNamed(text) !== undefined, "is not the name of a state"),
    v.transform(stateNamed),
  );
  return {
    contextId: name,
    status: v.nullish(state),
    pageSize,
    pageToken: name,
    historyLength,
    statusTimestampAfter: timestamp,
    includeArtifacts: v.nullish(v.boolean()),
  };
}

/** The request in the fields as they were read. In protobuf an empty text means an absent field. */
export function listTasksRequest(input: {
  readonly contextId?: string | null | undefined;
  readonly status?: TaskState | null | undefined;
  readonly pageSize?: number | null | undefined;
  readonly pageToken?: string | null | undefined;
  readonly historyLength?: number | null | undefined;
  readonly statusTimestampAfter?: string | null | undefined;
  readonly includeArtifacts?: boolean | null | undefined;
}): ListTasksRequest {
  const { contextId, status, pageToken, statusTimestampAfter, includeArtifacts } = input;
  return {
    ...(contextId && { contextId }),
    ...(status && status !== "TASK_STATE_UNSPECIFIED" && { status }),
    ...(typeof input.pageSize === "number" && { pageSize: input.pageSize }),
    ...(pageToken && { pageToken }),
    ...(typeof input.historyLength === "number" && { historyLength: input.historyLength }),
    ...(statusTimestampAfter && { statusTimestampAfter }),
    ...(includeArtifacts && { includeArtifacts }),
  };
}
