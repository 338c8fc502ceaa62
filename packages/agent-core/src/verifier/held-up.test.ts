import { defineVerifier } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterEach, expect, test } from "vitest";
import { board } from "../board/index.ts";
import { coreBench } from "../core-bench.ts";
import { createEgress } from "../egress/index.ts";
import { Fence, ProjectRegistry, ProtectedPlaces } from "../fence/index.ts";
import { filesystem } from "../filesystem/index.ts";
import { scriptedModel } from "../testing/index.ts";
import { verification } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());

test("a check that computes without awaiting anything is named in the log: no limit can end it", async () => {
  const warnings: string[] = [];
  const projects = new ProjectRegistry([]);
  const places = new ProtectedPlaces([]);
  const loops = defineVerifier({
    name: "loops",
    description: "Computes for long.",
    args: v.object({}),
    check() {
      for (const until = performance.now() + 150; performance.now() < until; );
      return { met: true, reason: "It was computed.", evidence: "" };
    },
  });
  const core = await bench.start({
    ...{ model: scriptedModel(() => "done"), verifiers: { mine: [loops] } },
    log: { info: () => {}, warn: (message) => void warnings.push(message) },
    features: [
      filesystem({ fence: new Fence({ projects: () => projects, places: () => places, userHome: "/" }) }),
      board({ url: () => ":memory:" }),
      verification({ inherited: {}, egress: () => createEgress({}) }),
    ],
  });
  const { verification: known } = core.features;
  const prepared = await known.prepare("mine:loops", { by: "operator", model: false });
  const run = { signal: new AbortController().signal, owner: "test", timeoutS: 30 };
  expect(await known.check(prepared, run)).toMatchObject({ met: true });
  expect(warnings).toEqual([expect.stringMatching(/^the check mine:loops held up the service for \d{3,} ms$/)]);
});
