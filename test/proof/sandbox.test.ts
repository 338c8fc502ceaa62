import { expect, test } from "vitest";
import { runSandbox } from "./sandbox/run-sandbox.ts";

test("nothing gets out of the sandbox: a few attempts of each kind, where one is usable (PR5)", async () => {
  const kinds = new Map<string, number>();
  const report = await runSandbox((all) =>
    all.filter(({ kind }) => {
      const count = (kinds.get(kind) ?? 0) + 1;
      kinds.set(kind, count);
      return count <= (kind === "write" ? 8 : kind === "repository" ? 4 : 2);
    }),
  );
  if (typeof report === "string") expect(report).not.toBe("");
  else expect(report).toEqual({ ran: 20, escaped: [] });
});

test("the trial notices what gets out where the policy is weaker", async () => {
  const report = await runSandbox(
    (all) => all.filter(({ kind, script }) => kind === "network" || script.includes("canary")).slice(0, 3),
    (policy) => ({ ...policy, network: true, writable: [...policy.writable, "/"], hidden: [] }),
  );
  if (typeof report !== "string") expect(report.escaped.length).toBeGreaterThan(0);
});
