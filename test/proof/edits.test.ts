import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { runEdits } from "./edits/run-edits.ts";

test("no file is torn, changed twice or in doubt, whenever the service is killed (FC1, FC2, FC3; F17)", async () => {
  const compileCache = mkdtempSync(path.join(tmpdir(), "proof-edits-compiled-"));
  // `pnpm proof:edits` runs as many as are wanted.
  for (const seed of ["suite/0"]) {
    const { violations, figures } = await runEdits(seed, compileCache);
    expect([seed, violations]).toEqual([seed, []]);
    expect(figures.changes).toBeGreaterThan(0);
  }
  rmSync(compileCache, { recursive: true, force: true });
});
