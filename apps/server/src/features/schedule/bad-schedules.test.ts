/** What cannot be a schedule: refused in the documented shape, repeating nothing of it, and nothing is changed. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({});
  expect((await ask("POST", "/jobs", JSON.stringify({ ...daily, job_id: "stays" }))).status).toBe(200);
});
afterAll(() => running.stop());

const daily = { prompt: "/say good morning", schedule: "0 7 * * 1-5", timezone: "Europe/Berlin" };
/** In what is sent; no answer may hold it. */
const MARK = "Canary";

async function ask(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${running.url}/api/scheduler${path}`, { method, ...(body && { body, headers }) });
  return { status: response.status, text: await response.text() };
}

/** The rows of jobs, timers and ledger. */
async function rows(): Promise<string> {
  const { db } = running.service.core;
  const tables = ["schedule_job", "timer", "schedule_run"].map((name) =>
    db.read({ sql: `SELECT * FROM ${name}`, args: [] }),
  );
  return JSON.stringify(await Promise.all(tables));
}

let before: string;
beforeEach(async () => {
  before = await rows();
});

async function refused(status: number, answer: { status: number; text: string }): Promise<void> {
  expect([answer.status, answer.text.length < 1_000]).toEqual([status, true]);
  expect(answer.text).not.toContain(MARK);
  const { detail } = JSON.parse(answer.text) as { detail: string | { loc: string[]; msg: string; type: string }[] };
  if (status === 422) {
    const item = { loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) };
    expect(detail).toEqual((detail as object[]).map(() => item));
  } else expect(detail).toMatch(/^[A-Z`o][^\n]+\.$/);
  expect(await rows()).toBe(before);
}

const SCHEDULES: readonly (readonly [schedule: string, status: number])[] = [
  ...["0 7 * *", "0 7 * * * *", "@daily", "tomorrow", `${MARK} * * * *`, "60 * * * *", "-1 * * * *"],
  ...[
    "* 24 * * *",
    "* * 0 * *",
    "* * 32 * *",
    "* * * 13 *",
    "* * * * 8",
    "*/0 * * * *",
    "*/1000 * * * *",
    "5/2 * * * *",
  ],
  ...["1-0 * * * *", "1-2-3 * * * *", "1,,2 * * * *", "*/2/2 * * * *", "1e1 * * * *", "0x1 * * * *", "1.5 * * * *"],
  ...[
    "L * * * *",
    "* * L * *",
    "0 0 1 1 1#2",
    "? ? ? ? ?",
    "0 0 15W * *",
    "0 0 31 2 *",
    "0 0 30 feb *",
    "0 0 * janu *",
  ],
  ...["\u0663 * * * *", "\uff10 \uff17 * * *", "0 7 * * \u{1f600}", "0 7 * * 1-5; DROP TABLE timer"],
  ...[
    "* ".repeat(99),
    "*".repeat(200),
    "2020-01-01T00:00Z",
    "0000-01-01T00:00Z",
    "2027-02-30T00:00Z",
    "2027-13-01T00:00",
  ],
  ...["2027-01-01T24:00Z", "2027-01-01T00:60Z", "2027-01-01T00:00+99:00", "2027-01-01", "-2027-01-01T00:00Z"],
  ...["+012027-01-01T00:00Z", `2027-01-01T00:00${MARK}`, "99999-01-01T00:00Z"],
].map((schedule) => [schedule, 400] as const);
const UNREADABLE: readonly (readonly [schedule: unknown, status: number])[] = [
  ...[
    "",
    " ",
    "\t\n",
    "\0 * * * *",
    "\ud800 * * * *",
    "*/1,".repeat(60),
    "x".repeat(2_000_000),
    5,
    true,
    null,
    ["*"],
    {},
  ],
].map((schedule) => [schedule, 422] as const);

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 40);
it.each([...SCHEDULES, ...UNREADABLE].map(([schedule, status]) => [shown(schedule), schedule, status] as const))(
  "the schedule %s is refused where a job is made and where one is changed",
  async (_shown, schedule, status) => {
    await refused(status, await ask("POST", "/jobs", JSON.stringify({ ...daily, prompt: "other", schedule })));
    await refused(status, await ask("PUT", "/jobs/stays", JSON.stringify({ schedule, prompt: "in other words" })));
    if (typeof schedule !== "string" || status === 422) return;
    await refused(400, await ask("GET", `/preview?schedule=${encodeURIComponent(schedule)}`));
  },
);

it.each([
  [`Mars/${MARK}`, 400],
  ["+01:00", 400],
  ["UTC+1", 400],
  ["GMT+25", 400],
  ["constructor", 400],
  ["__proto__", 400],
  ["../../etc/passwd", 400],
  ["\u{1f600}", 400],
  ["Europe/Berlin Europe/Paris", 400],
  ["Europe/Berlin\0", 422],
  ["E".repeat(65), 422],
  ["", 422],
  [5, 422],
  [null, 422],
] as const)("the time zone %j is refused", async (timezone, status) => {
  await refused(status, await ask("POST", "/jobs", JSON.stringify({ ...daily, prompt: "other", timezone })));
  await refused(status, await ask("PUT", "/jobs/stays", JSON.stringify({ timezone })));
  if (status !== 400) return;
  await refused(400, await ask("GET", `/preview?schedule=0+7+*+*+*&timezone=${encodeURIComponent(timezone)}`));
});

const deep = `{"prompt":"x","schedule":"0 7 * * *","only_if":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`;
const BODIES: readonly (readonly [what: string, body: string, status: number])[] = [
  ["no JSON", `{"prompt": "${MARK}`, 400],
  ["a list", "[]", 422],
  ["nothing", "null", 422],
  ["100,000 open brackets", "[".repeat(100_000), 400],
  ["a check that nests 5,000 deep", deep, 400],
  ["a prototype", `{"__proto__": {"x": "${MARK}"}}`, 400],
  ...(
    [
      [{ prompt: "" }, 422],
      [{ prompt: " \n " }, 422],
      [{ prompt: MARK.repeat(10_000) }, 422],
      [{ prompt: `${MARK}\ud800` }, 422],
      [{ job_id: "STAYS" }, 400],
      [{ job_id: "stays" }, 400],
      [{ job_id: "" }, 400],
      [{ job_id: "a/../b" }, 400],
      [{ job_id: "\u{1f600}" }, 400],
      [{ job_id: "plugin:x" }, 400],
      [{ job_id: "wait:x" }, 400],
      [{ job_id: "x".repeat(65) }, 422],
      [{ context_id: "x".repeat(257) }, 422],
      [{ context_id: "a\0" }, 422],
      [{ overlap: MARK }, 422],
      [{ fresh: "yes" }, 422],
      [{ catch_up_s: -1 }, 422],
      [{ catch_up_s: 1e308 }, 422],
      [{ jitter_s: 901 }, 422],
      [{ retries: -1 }, 422],
      [{ retries: 1.5 }, 422],
      [{ retries: "2" }, 422],
      [{ workflow: { name: MARK } }, 422],
      [{ budget: { usd: 1 } }, 422],
      [{ only_if: MARK }, 422],
      [{ only_if: {} }, 400],
      [{ only_if: { check: "core:url", verifier: "core:url" } }, 400],
      [{ only_if: { check: "core:url", check_args: { url: "http://a.example" }, more: MARK } }, 400],
      [{ only_if: { check: `core:${MARK}` } }, 400],
      [{ only_if: { check: "core:url", check_args: { url: `file:///${MARK}` } } }, 400],
      [{ only_if: { check: "core:url", check_args: { url: "http://a.example", expr: "(" } } }, 400],
      [{ only_if: { check: "core:url", check_args: { url: "http://a.example", status: 99 } } }, 400],
      [{ only_if: { verifier: { type: "command", command: MARK.repeat(20_000) } } }, 400],
      [{ only_if: { verifier: { type: MARK } } }, 400],
      [{ only_if: { verifier: { type: "data", path: `../../${MARK}`, contains: "x" } } }, 400],
    ] as const
  ).map(([wrong, status]) => [shown(wrong), JSON.stringify({ ...daily, prompt: "other", ...wrong }), status] as const),
];
it.each(BODIES)("a body with %s is refused", async (_what, body, status) => {
  await refused(status, await ask("POST", "/jobs", body));
});

it("a change without anything that is known changes nothing", async () => {
  const kept = await ask("GET", "/jobs/stays");
  for (const body of ["{}", `{"unknown": "${MARK}"}`, '{"job_id": "other", "created_by": "agent", "id": "other"}'])
    expect(await ask("PUT", "/jobs/stays", body)).toEqual(kept);
  expect(await rows()).toBe(before);
});

it.each([
  ["/preview", 422],
  ["/preview?schedule=0+7+*+*+*&n=1e9", 422],
  [`/preview?schedule=0+7+*+*+*&from=${MARK}`, 422],
  ["/preview?schedule=0+7+*+*+*&from=9999999999999999", 422],
  ["/preview?schedule=0+7+*+*+*&from=275760-09-13T00:00:00Z", 422],
  [`/preview?schedule=${"*/1,".repeat(60)}`, 422],
  [`/calendar?from=${MARK}`, 422],
  ["/calendar?from=2027-01-02&to=2027-01-01", 400],
  ["/calendar?to=9999-01-01", 400],
  ["/calendar?from=-99999999999999999999", 422],
  ["/jobs?limit=x", 422],
  [`/jobs?cursor=${MARK}`, 422],
  ["/jobs/stays/runs?cursor=e30", 422],
  ["/jobs/stays%2f..", 404],
  [`/jobs/${MARK}/runs`, 404],
  [`/jobs/${"x".repeat(5_000)}`, 422],
])("GET %s is refused", async (path, status) => {
  await refused(status, await ask("GET", path));
});

const CALLS: readonly object[] = [
  {},
  { prompt: "", when: "0 7 * * *" },
  { prompt: "x", when: "soon" },
  { prompt: "x", when: "* ".repeat(99) },
  { prompt: "x", when: "*".repeat(201) },
  { prompt: "x", when: "0 7 * * *", timezone: "Mars/Olympus" },
  { prompt: "x", when: "2020-01-01T00:00Z" },
  { prompt: "x".repeat(32_769), when: "0 7 * * *" },
  { prompt: "x", when: "0 7 * * *", job_id: "A b" },
  { prompt: "x", when: "0 7 * * *", job_id: "stays" },
  { prompt: "x", when: "0 7 * * *", job_id: "watch-1" },
  { prompt: "x", when: 5 },
];
it.each(CALLS.map((args) => [shown(args), args] as const))(
  "the agent's %s is an error that says why, and nothing is scheduled",
  async (_shown, args) => {
    const { core } = running.service;
    const task = await core.tasks.start({ context: "talk", text: `/call schedule_task ${JSON.stringify(args)}` });
    const answer = JSON.stringify((await task.settled()).answer);
    expect(answer).toMatch(/returned: (?:Error: [a-z]|Invalid arguments for schedule_task: )/);
    expect(await rows()).toBe(before);
  },
);
