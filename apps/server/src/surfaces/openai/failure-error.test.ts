import {
  DatabaseError,
  emptyView,
  ModelConfigError,
  TaskError,
  type TaskFailure,
  type TaskView,
} from "@agent-service/agent-core/host";
import { describe, expect, it } from "vitest";
import { ApiError, withErrorObject } from "./api-error.ts";
import { acceptanceError, failureError } from "./failure-error.ts";

const shown = (error: unknown) => {
  if (!(error instanceof ApiError)) return expect.fail(`not an ApiError: ${String(error)}`);
  return { status: error.status, ...error.object, ...error.headers };
};

describe("what prevents a task (S7, A15)", () => {
  it.each<[unknown, object]>([
    [new TaskError("overloaded", "full", 30), { status: 429, code: "overloaded", "retry-after": "30" }],
    [new TaskError("draining", "going", 5), { status: 503, code: "draining", "retry-after": "5" }],
    [new TaskError("key_conflict", "other"), { status: 400, param: "Idempotency-Key" }],
    [new TaskError("unsupported_content", "zip"), { status: 400, param: "messages" }],
    [
      new ModelConfigError("no_credential", "sign in"),
      { status: 503, code: "model_no_credential", "retry-after": "5" },
    ],
    [new ModelConfigError("no_gateway", "none"), { status: 400, param: "model", code: "model_not_found" }],
    [new DatabaseError("full", "SQLITE_FULL"), { status: 503, "retry-after": "5" }],
    [new DatabaseError("overloaded", "SQLITE: 10,000 commands wait"), { status: 503, "retry-after": "5" }],
    [new DatabaseError("unreachable", "secret.host"), { status: 503, "retry-after": "5" }],
  ])("%s", (thrown, expected) => {
    const error = shown(acceptanceError(thrown));
    expect(error).toMatchObject(expected);
    expect(error.message).not.toMatch(/SQLITE|secret/);
    // Nothing was accepted, so a client may repeat it.
    expect(error).not.toHaveProperty("x-should-retry");
  });

  it("lets a bug pass: it becomes a 500", () => {
    const bug = new TypeError("oops");
    expect(acceptanceError(bug)).toBe(bug);
    const misuse = new DatabaseError("misuse", "a boolean");
    expect(acceptanceError(misuse)).toBe(misuse);
  });
});

describe("how a task that failed is answered (V1)", () => {
  const failed = (code: string, more: Partial<TaskFailure> & { steps?: number } = {}): Readonly<TaskView> => {
    const { steps = 1, ...rest } = more;
    return { ...emptyView("t"), state: "failed", steps, failure: { code, message: "why", ...rest } };
  };
  const never = { "x-should-retry": "false" };

  it.each<[string, Readonly<TaskView>, object]>([
    ["the provider's 429", failed("model_rate_limited", { retryAfterSeconds: 7 }), { status: 429, "retry-after": "7" }],
    ["its 429 after tools may have run", failed("model_rate_limited", { steps: 2 }), { status: 429, ...never }],
    ["its 5xx", failed("model_upstream"), { status: 502, type: "upstream_error", code: "model_upstream", ...never }],
    ["no connection", failed("model_network"), { status: 502, ...never }],
    ["an unknown model, the lead too", failed("model_unknown_model"), { status: 400, code: "model_not_found" }],
    [
      "an answer of another form",
      failed("answer_does_not_fit"),
      { status: 502, code: "answer_does_not_fit", ...never },
    ],
    ["too long a conversation", failed("model_context_overflow"), { status: 400, code: "context_length_exceeded" }],
    ["no free slot in the lane", failed("model_lane_timeout"), { status: 503, "retry-after": "5" }],
    ["a lead without connection", failed("model_no_gateway"), { status: 503, "retry-after": "5" }],
    ["the agent itself", failed("internal"), { status: 500, type: "server_error", ...never }],
    ["a restart", failed("interrupted"), { status: 500, code: "interrupted", ...never }],
    ["a cancel", { ...emptyView("t"), state: "canceled" }, { status: 409, code: "task_canceled", ...never }],
  ])("%s", (_, view, expected) => {
    expect(shown(failureError(view))).toMatchObject(expected);
  });
});

describe("a refusal of access control", () => {
  const refusal = (body: object, status = 403) => Response.json(body, { status, headers: { "retry-after": "1" } });

  it("keeps status, headers and detail, beside the error object", async () => {
    const formatted = await withErrorObject("/v1/models", refusal({ detail: "no", error_id: "e" }), false);
    expect([formatted.status, formatted.headers.get("retry-after")]).toEqual([403, "1"]);
    const error = { message: "no", type: "permission_error", param: null, code: null };
    expect(await formatted.json()).toEqual({ detail: "no", error_id: "e", error });
  });

  it("elsewhere is left alone", async () => {
    for (const path of ["/a2a", "/", "/v10/x", "/api/v1/x"]) {
      const plain = refusal({ detail: "no" });
      expect(await withErrorObject(path, plain, false)).toBe(plain);
    }
    const ours = refusal({ detail: "no" });
    expect(await withErrorObject("/v1/tasks", ours, true)).toBe(ours);
  });
});
