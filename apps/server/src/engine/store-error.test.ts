import { DatabaseError, FeatureError } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import { storeError } from "./store-error.ts";

it("describes a store error in one line, with the feature that could not read the store", () => {
  const owned = new DatabaseError("in_use", "the store is in use by agent-service (pid 7)");
  expect(storeError(owned)).toMatchObject({ name: "StartupError", code: "store-owned", message: owned.message });
  const gone = new DatabaseError("unreachable", "no answer in 5 s");
  const failed = new FeatureError("feature.recover_failed", "sessions", "recover failed: no answer in 5 s", {
    cause: gone,
  });
  expect(storeError(failed)).toMatchObject({
    ...{ name: "StartupError", code: "store-unavailable", cause: failed },
    message: "feature sessions: recover failed: no answer in 5 s",
  });
});

it("leaves every other failure as it is", () => {
  const bug = new FeatureError("feature.open_failed", "sessions", "open failed: oops", {
    cause: new TypeError("oops"),
  });
  expect([storeError(bug), storeError("text")]).toEqual([bug, "text"]);
});
