import { expect, it } from "vitest";
import { sandboxFinding } from "./check-service.ts";

it("says whether commands can be confined, and how to get a sandbox", () => {
  expect(sandboxFinding({ provider: "bubblewrap", usable: true, reason: null })).toMatchObject({ state: "ok" });
  const missing = sandboxFinding({ provider: "bubblewrap", usable: false, reason: "bwrap is not installed" });
  expect(missing).toMatchObject({ state: "warning", remedy: expect.stringContaining("apt-get install bubblewrap") });
  expect(missing.text).toContain("bwrap is not installed");
  expect(sandboxFinding({ provider: "none", usable: false, reason: null })).not.toHaveProperty("remedy");
});
