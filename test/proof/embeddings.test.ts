import { expect, it } from "vitest";
import { runEmbeddings } from "./embeddings/run-embeddings.ts";

it("finds by words what an endpoint that fails does not serve, and compares no vectors of different models (K25, KM7)", async () => {
  const { searches, violations } = await runEmbeddings("t", 150, 1);
  expect(violations.filter((one) => !one.startsWith("a search took"))).toEqual([]);
  expect(searches).toBeGreaterThan(20);
});
