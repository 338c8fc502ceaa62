import { expect, test } from "vitest";
import { runDocuments } from "./documents/run-documents.ts";
import { runIngestKills } from "./documents/run-ingest-kills.ts";

test("40 damaged and hostile documents are read, or refused for a reason that is documented (K22)", async () => {
  // `pnpm proof:documents` reads as many as are wanted.
  const { outcomes, violations } = await runDocuments("suite", 40);
  expect(violations).toEqual([]);
  const reasons = new Set([...outcomes.keys()].map((one) => one.split(": ")[1]));
  for (const wanted of ["read", "document.unreadable", "document.too-large", "document.unsupported", "document.empty"])
    expect(reasons).toContain(wanted);
});

test("a document that was acknowledged is read whole and once, whenever the service is killed (K22)", async () => {
  const { kills, acknowledged, violations } = await runIngestKills("suite", 1);
  expect(violations).toEqual([]);
  expect(kills).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(0);
});
