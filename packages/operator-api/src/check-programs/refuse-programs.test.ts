import { expect, it } from "vitest";
import { refusePrograms } from "./refuse-programs.ts";

it("refuses another user of the machine checks that run programs, and no others", async () => {
  const asked = (verifier: unknown, refused: string | undefined) =>
    refusePrograms(verifier, { refuseDecision: async () => refused }).then(
      () => 200,
      ({ status }: { status: number }) => status,
    );
  for (const type of ["command", "test", "ci"]) {
    expect(await asked({ type }, "another user's")).toBe(403);
    expect(await asked({ type }, undefined)).toBe(200);
  }
  for (const verifier of [undefined, null, "llm", { type: "data" }, { type: "plugin", check: "core:url" }])
    expect(await asked(verifier, "another user's")).toBe(200);
});
