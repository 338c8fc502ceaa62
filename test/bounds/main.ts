/** `pnpm bounds`: what the tests that hold bounds found, beside the bounds. Fails where one is not held or not reported. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { calibrate, calibrationLine, slower } from "../../bench/calibration.ts";
import { BOUND_TESTS } from "./bound-tests.ts";
import { boundsTable } from "./bounds-table.ts";
import { boundsFileVariable, type ReportedBound } from "./reported-bound.ts";

const root = new URL("../..", import.meta.url).pathname;
const folder = mkdtempSync(path.join(tmpdir(), "bounds-"));
const file = path.join(folder, "reported.json");
try {
  const before = await calibrate();
  const files = [...new Set(BOUND_TESTS.map((one) => one.file))];
  const titles = BOUND_TESTS.map(({ title }) => title).join("|");
  const { status } = spawnSync(
    path.join(root, "node_modules/.bin/vitest"),
    ["run", ...files, "-t", titles, "--reporter=default", "--reporter=./test/bounds/bounds-reporter.ts"],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, [boundsFileVariable]: file, TEST_DEFAULT_LIMITS: "1" },
    },
  );
  const reported = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly ReportedBound[]) : [];
  const calibration = slower(before, await calibrate());
  const expected = BOUND_TESTS.flatMap(({ what }) => what);
  const { lines, isHeld } = boundsTable(expected, reported);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}, ${process.platform}`;
  console.log(`${new Date().toISOString()}, ${machine}\n${calibrationLine(calibration)}\n\n${lines.join("\n")}`);
  if (status !== 0) console.log("\na test failed");
  process.exitCode = isHeld && status === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
