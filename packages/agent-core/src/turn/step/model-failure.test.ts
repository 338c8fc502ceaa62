import { expect, test } from "vitest";
import type { TaskRecord } from "../../journal/index.ts";
import { ModelConfigError, ModelError } from "../../model/index.ts";
import type { ChosenModel } from "../turn-deps.ts";
import { modelFailure } from "./model-failure.ts";

const deps = { redactor: { text: (text: string) => text.replace("secret", "***") } } as Parameters<
  typeof modelFailure
>[1];
const callBy = (callerClass: string, explain?: ChosenModel["explain"]) => ({
  record: { view: { class: callerClass } } as TaskRecord,
  chosen: { explain } as ChosenModel,
});

test("a failed model call is described by its code, its status and the whole seconds until a retry, and no secret", () => {
  const error = new ModelError("rate_limited", "too many with secret", { status: 429, retryAfterMs: 1_200 });
  expect(modelFailure(error, deps)).toEqual({
    ...{ code: "model_rate_limited", message: "too many with ***" },
    ...{ upstreamStatus: 429, retryAfterSeconds: 2 },
  });
  expect(modelFailure(new ModelError("network", "gone"), deps)).toEqual({ code: "model_network", message: "gone" });
});

test("how the call may be mended is for the operator alone", () => {
  const error = new ModelError("network", "gone");
  const explain = () => "Start it with secret";
  expect(modelFailure(error, deps, callBy("operator", explain)).message).toBe("gone. Start it with ***");
  expect(modelFailure(error, deps, callBy("federation", explain)).message).toBe("gone");
  expect(modelFailure(error, deps, callBy("operator")).message).toBe("gone");
});

test("an error that is not a model's is not described", () => {
  expect(modelFailure(new Error("internals"), deps)).toEqual({
    code: "model_failed",
    message: "The model call failed.",
  });
  const config = new ModelConfigError("unknown_model" as never, "no model x");
  expect(modelFailure(config, deps)).toEqual({ code: `model_${config.code}`, message: "no model x" });
});
