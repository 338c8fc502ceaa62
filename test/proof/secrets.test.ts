import { expect, test } from "vitest";
import { runSecrets } from "./secrets/run-secrets.ts";
import { secretFinder, spellings } from "./secrets/secret-finder.ts";

test("60 secrets, planted everywhere, appear in nothing the service writes or answers (docs/security.md)", async () => {
  const report = await runSecrets({ seed: "suite", secrets: 60, logFormat: "json" });
  expect(report.violations).toEqual([]);
  expect(report.planted).toBeGreaterThanOrEqual(60);
  // What it says would be worth nothing if the secrets had not been planted, or could not be found.
  expect(report.canary).toEqual(["answer", "file", "row"]);
  expect(report.blind).toEqual([]);
  expect(report.printed).toBe(true);
  expect(report.tasks).toBeGreaterThan(40);
  expect(report.masked).toBeGreaterThan(500);
  for (const bytes of Object.values(report.bytes)) expect(bytes).toBeGreaterThan(1_000);
});

test("the finder finds a secret in every spelling, wherever it stands, and nothing else", () => {
  const secret = 'p"a\\ss/w+ord&4711é';
  const finder = secretFinder(["another-secret", secret]);
  expect(spellings(secret).length).toBeGreaterThan(7);
  for (const form of spellings(secret)) expect(finder.find(Buffer.from(`before ${form} after`))).toEqual([1]);
  for (const before of ["", "a", "ab", "abc"]) {
    const inside = Buffer.from(`${before}${secret}!`);
    expect(finder.find(Buffer.from(inside.toString("base64")))).toEqual([1]);
    expect(finder.find(Buffer.from(inside.toString("base64url")))).toEqual([1]);
  }
  expect(finder.find(Buffer.from('p"a\\ss/w+ord&4712é and another-secre'))).toEqual([]);
});
