import {
  DatabaseError,
  emptyView,
  ModelConfigError,
  TaskError,
  type TaskFailure,
} from "@agent-service/agent-core/host";
import type { Problem } from "@agent-service/operator-api";
import { describe, expect, it } from "vitest";
import { acceptanceProblem, failureProblem } from "./chat-problem.ts";

const names = { session: "s", errorId: "e1" };

function failed(failure: TaskFailure): Problem {
  return failureProblem({ ...emptyView("t"), state: "failed", failure }, names);
}

describe("a turn that failed (B30)", () => {
  it.each([
    ["model_rate_limited", 429, "rate_limited"],
    ["model_upstream", 502, "upstream"],
    ["model_network", 502, "network"],
    ["model_bad_response", 502, "bad_response"],
    ["model_unauthorized", 502, "unauthorized"],
    ["model_unknown_model", 400, "unknown_model"],
    ["model_lane_timeout", 503, "lane_timeout"],
    ["model_no_credential", 503, "no_credential"],
    ["silence", 500, "silence"],
  ])("of %s is %i", (code, status, reason) => {
    const problem = failed({ code, message: "why", upstreamStatus: 418 });
    expect([problem.status, problem.detail]).toEqual([
      status,
      { code: reason, message: "why", upstream_status: 418, session_id: "s", error_id: "e1" },
    ]);
  });

  it("has a Retry-After, the provider's or one for a connection that cannot be set up", () => {
    expect(failed({ code: "model_rate_limited", message: "", retryAfterSeconds: 7 }).retryAfter).toBe(7);
    expect(failed({ code: "model_rate_limited", message: "" }).retryAfter).toBeUndefined();
    expect(failed({ code: "model_no_model", message: "" }).retryAfter).toBe(5);
  });

  it("keeps to itself what went wrong inside, but for its number in the log", () => {
    const { status, detail } = failed({ code: "internal", message: "TypeError: x is not a function" });
    expect(status).toBe(500);
    expect((detail as { message: string }).message).toMatch(/e1/);
    expect(JSON.stringify(detail)).not.toContain("TypeError");
  });

  it("because it was canceled is 409", () => {
    expect(failureProblem({ ...emptyView("t"), state: "canceled" }, names)).toMatchObject({
      status: 409,
      detail: { code: "canceled" },
    });
  });
});

describe("a turn that could not begin", () => {
  it.each([
    [new ModelConfigError("no_gateway", "none"), 400, "unknown_model"],
    [new ModelConfigError("no_credential", "none"), 503, "no_credential"],
    [new ModelConfigError("invalid_base_url", "none"), 503, "invalid_base_url"],
    [new TaskError("unknown_command", "none"), 400, "unknown_command"],
  ])("for %s is %i", (error, status, code) => {
    expect(acceptanceProblem(error, names)).toMatchObject({
      status,
      detail: { code, message: "None.", session_id: "s" },
    });
  });

  it.each([
    new ModelConfigError("no_credential", "no token"),
    new TaskError("draining", "going away", 5),
    new DatabaseError("full", "SQLITE_FULL"),
  ])("because nothing can be taken now has the number of its line in the log: %s", (error) => {
    expect(acceptanceProblem(error, names)).toMatchObject({
      status: 503,
      retryAfter: expect.any(Number),
      detail: { code: error.code, upstream_status: null, session_id: "s", error_id: "e1" },
    });
  });

  it("under a key of another request is 422, and an unknown error passes through", () => {
    expect(acceptanceProblem(new TaskError("key_conflict", ""), names)).toMatchObject({
      status: 422,
      detail: [{ type: "idempotency_key_reused" }],
    });
    const fault = new Error("a fault");
    expect(acceptanceProblem(fault, names)).toBe(fault);
  });
});
