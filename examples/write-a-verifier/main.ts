// #region test
import assert from "node:assert/strict";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeCheck } from "@agent-service/plugin-sdk/testing";
import { backupAge } from "./backup-age.ts";

const folder = await mkdtemp(join(tmpdir(), "backups-"));
const file = join(folder, "newest.tar");
const now = new Date("2026-06-01T12:00:00Z");
const check = (args: object) => fakeCheck(backupAge(file), args, { now });

// It cannot tell: neither met nor unmet.
assert.equal((await check({ hours: 24 })).kind, "threw");

await writeFile(file, "");
await utimes(file, now, new Date("2026-05-31T06:00:00Z"));
const late = await check({ hours: 24 });
assert.ok(late.kind === "verdict" && !late.verdict.met);
const fresh = await check({ hours: 48 });
assert.ok(fresh.kind === "verdict" && fresh.verdict.met);
assert.equal((await check({ hours: "48" })).kind, "invalid");
// #endregion test

await rm(folder, { recursive: true });
console.log(late.verdict.reason);
