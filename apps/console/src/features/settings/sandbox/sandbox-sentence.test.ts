import { expect, test } from "vitest";
import { sandboxSentence } from "./sandbox-sentence.ts";

test("what is said of commands is what becomes of them", () => {
  const said = (usable: boolean, wanted: unknown) => sandboxSentence({ provider: "bubblewrap", usable, wanted });
  expect(said(true, "auto")).toContain("run in a sandbox (bubblewrap)");
  expect(said(false, "auto")).toContain("reach whatever the service can");
  expect(said(false, "required")).toContain("the agent has no commands");
  expect(said(true, "off")).toContain("switched off");
  // Hidden settings say nothing of what is wanted.
  expect(said(false, undefined)).toContain("There is no sandbox");
});
