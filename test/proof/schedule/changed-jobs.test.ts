import { afterEach, expect, test } from "vitest";
import { createAgentCore } from "../../../packages/agent-core/src/create-agent-core.ts";
import { defineFeature } from "../../../packages/agent-core/src/feature/index.ts";
import { JobError, schedule } from "../../../packages/agent-core/src/schedule/index.ts";
import { scriptedModel } from "../../../packages/agent-core/src/testing/index.ts";
import { scanMinutes } from "../cron/minute-scan.ts";
import { JumpingClock, turn } from "./jumping-clock.ts";
import { randomOf } from "./random.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
const SCHEDULES = ["* * * * *", "*/2 * * * *", "0 * * * *", "10-40/7 * * * *"];
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function started(clock: JumpingClock) {
  const warnings: string[] = [];
  const verification = defineFeature({
    name: "verification",
    open: () => ({ prepare: async () => ({}) as never, check: async () => ({}) as never }),
  });
  const core = await createAgentCore({
    ...{ store: ":memory:", clock, model: { model: scriptedModel(() => "ok"), name: "scripted" }, onFatal: () => {} },
    log: {
      info: () => {},
      warn: (text: string) => void warnings.push(text),
    },
    features: [verification, schedule({ overdueMs: 600_000, elsewhere: () => undefined })],
  });
  stops.push(() => core.stop({ graceMs: 1_000 }));
  const rest = async (): Promise<void> => {
    for (let quiet = 0; quiet < 2; ) {
      const ran = await clock.runDue();
      await core.features.schedule.opened.idle();
      const open = await core.journal.openTaskIds();
      await Promise.all(open.map(async (id) => (await core.tasks.get(id))?.settled()));
      await turn();
      quiet = ran || open.length > 0 ? 0 : quiet + 1;
    }
  };
  const rows = async () =>
    (
      await core.db.read({
        sql: "SELECT slot, state, upto, reason FROM schedule_run WHERE attempt = 1 ORDER BY slot",
        args: [],
      })
    ).map(([slot, state, upto, reason]) => ({ slot: Number(slot), state, upto: Number(upto ?? slot), reason }));
  return { core, schedules: core.features.schedule.schedules, rest, rows, warnings };
}

const every = { id: "look", prompt: "look", schedule: "* * * * *", createdBy: "operator" } as const;

test("a job that is changed, paused or made anew after the clock was set back fires no slot of its ledger again (CR2)", async () => {
  const clock = new JumpingClock(START);
  const { schedules, rest, rows, warnings } = await started(clock);
  await schedules.create(every);
  for (let i = 1; i <= 5; i++) {
    clock.set(START + i * MINUTE);
    await rest();
  }
  clock.set(START + 2 * MINUTE);
  await schedules.update("look", { schedule: "*/1 * * * *" });
  expect(schedules.get("look")?.nextFire).toBe(START + 6 * MINUTE);
  await schedules.update("look", { enabled: false });
  clock.set(START + 4 * MINUTE);
  await schedules.update("look", { enabled: true });
  expect(schedules.get("look")?.nextFire).toBe(START + 6 * MINUTE);
  await schedules.remove("look");
  await schedules.create(every);
  clock.set(START + 6 * MINUTE);
  await rest();
  expect((await rows()).map(({ slot, state }) => [(slot - START) / MINUTE, state])).toEqual(
    [1, 2, 3, 4, 5, 6].map((minute) => [minute, "completed"]),
  );
  const once = {
    id: "once",
    prompt: "once",
    schedule: new Date(START + 7 * MINUTE).toISOString(),
    createdBy: "operator",
  };
  await schedules.create(once);
  clock.set(START + 7 * MINUTE);
  await rest();
  await schedules.remove("once");
  await expect(schedules.create(once)).rejects.toMatchObject({ code: "invalid" });
  expect(warnings).toEqual([]);
});

test("slots of a schedule that is replaced while its job is off are recorded as those of that schedule", async () => {
  const clock = new JumpingClock(START);
  const { schedules, rows } = await started(clock);
  await schedules.create(every);
  await schedules.update("look", { enabled: false });
  clock.set(START + 10 * MINUTE);
  await schedules.update("look", { schedule: "0 * * * *" });
  clock.set(START + 130 * MINUTE);
  await schedules.update("look", { enabled: true });
  expect(await rows()).toMatchObject([
    { slot: START + MINUTE, upto: START + 10 * MINUTE, reason: "off" },
    { slot: START + 60 * MINUTE, upto: START + 120 * MINUTE, reason: "off" },
  ]);
});

test.each([1, 2, 3, 4, 5, 6])(
  "over changes, pauses, runs and jumps of the clock in any order, no slot is in a ledger twice, and each is there (CR1, CR2; seed %i)",
  async (seed) => {
    const random = randomOf(seed);
    const clock = new JumpingClock(START);
    const { schedules, rest, rows, warnings } = await started(clock);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    let text = "* * * * *";
    /** The times at which the job had which schedule; the last one is open. */
    const spans: { from: number; upto: number; text: string }[] = [];
    let since = START;
    let high = START;
    const end = (): void => {
      if (since < clock.now()) spans.push({ from: since, upto: clock.now(), text });
      high = Math.max(high, clock.now());
      since = high;
    };
    await schedules.create(every);
    for (let step = 0; step < 120; step++) {
      const kind = random();
      if (kind < 0.5) clock.set(clock.now() + pick([10_000, MINUTE, 7 * MINUTE, 50 * MINUTE]));
      else if (kind < 0.6) {
        await rest();
        high = Math.max(high, clock.now());
        clock.set(clock.now() - Math.floor(random() * 90 * MINUTE));
      } else if (kind < 0.68) await schedules.update("look", { enabled: false });
      else if (kind < 0.82) await schedules.update("look", { enabled: true });
      else if (kind < 0.88) {
        end();
        text = pick(SCHEDULES);
        await schedules.update("look", { schedule: text });
      } else if (kind < 0.92)
        await schedules.run("look").catch((error: unknown) => {
          if (!(error instanceof JobError)) throw error;
        });
      else {
        const changes = [
          schedules.update("look", { enabled: random() < 0.8 }),
          schedules.run("look").catch(() => {}),
          rest(),
        ];
        await Promise.all(changes);
      }
      if (random() < 0.7) await rest();
    }
    clock.set(Math.max(high, clock.now()) + MINUTE);
    await schedules.update("look", { enabled: true });
    await schedules.update("look", { enabled: false });
    await rest();
    const ledger = (await rows()).filter(({ slot }) => slot % MINUTE === 0);
    for (const [i, row] of ledger.entries()) expect(row.slot).toBeGreaterThan(ledger[i - 1]?.upto ?? 0);
    // Where the clock was not set back, every slot of the schedule that was valid is there.
    end();
    const covered = (slot: number): boolean =>
      ledger.some((row) => row.slot <= slot && slot <= row.upto && (row.slot === slot || row.state === "missed"));
    const missing = spans.flatMap((span) =>
      scanMinutes(span.text, (minute) => minute, Math.floor(span.from / MINUTE) + 1, Math.floor(span.upto / MINUTE) + 1)
        .map((minute) => minute * MINUTE)
        .filter((slot) => !covered(slot))
        .map((slot) => `${new Date(slot).toISOString()} of ${span.text}`),
    );
    expect(missing).toEqual([]);
    expect(warnings).toEqual([]);
  },
);
