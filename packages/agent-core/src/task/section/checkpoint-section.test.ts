import * as v from "valibot";
import { expect, test } from "vitest";
import { checkpointSection } from "./checkpoint-section.ts";
import { journalSection } from "./journal-section.ts";

test("every key of B66 `checkpoint` has its default, and restarts go by who started a task (A18, R14)", () => {
  expect(v.parse(checkpointSection.schema, {})).toEqual({
    db_path: "/sandbox/checkpoints.db",
    keep_per_thread: 5,
    max_age_days: 30,
    conversation_max_age_days: 0,
    prune_interval_hours: 6,
    harvest_enabled: true,
    on_restart: "auto",
  });
  expect(v.parse(journalSection.schema, {})).toEqual({});
});

test("a store is a path, an address or blank (R11, R12)", () => {
  for (const db_path of ["", "./a.db", "libsql://db.test"])
    expect(v.parse(checkpointSection.schema, { db_path }).db_path).toBe(db_path);
});

test.each([
  ["db_path", 5],
  ["keep_per_thread", 0],
  ["max_age_days", 0],
  ["conversation_max_age_days", -1],
  ["prune_interval_hours", 0],
  ["harvest_enabled", "yes"],
  ["on_restart", "retry"],
])("%s refuses %j", (key, value) => {
  expect(v.safeParse(checkpointSection.schema, { [key]: value }).success).toBe(false);
});
