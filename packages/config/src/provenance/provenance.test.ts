import { expect, test } from "vitest";
import { describeProvenance } from "./provenance.ts";

test("each layer is named the way an operator can find it", () => {
  expect(describeProvenance({ layer: "default" })).toBe("default");
  expect(describeProvenance({ layer: "file", file: "/c/agent-config.yaml", line: 12 })).toBe("/c/agent-config.yaml:12");
  expect(describeProvenance({ layer: "env", variable: "SVC_MODEL" })).toBe("environment variable SVC_MODEL");
  expect(describeProvenance({ layer: "flag", flag: "model" })).toBe("--model");
});
