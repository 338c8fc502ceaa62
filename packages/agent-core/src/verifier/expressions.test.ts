import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { systemClock } from "../clock/index.ts";
import { openDatabase } from "../database/index.ts";
import { type LongLivedRequest, Processes } from "../process/index.ts";
import { Expressions, expressionCommand } from "./expressions.ts";

const ENDLESS = { expr: "$match('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', /^(a+)+$/)", input: "{}" };

it("an expression that loops is ended by the system where the service was killed", async () => {
  const [program, ...args] = expressionCommand(2);
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "inherit"], env: {} });
  child.stdin.write(`${JSON.stringify(ENDLESS)}\n`);
  const [, signal] = await once(child, "exit");
  expect(["SIGXCPU", "SIGKILL"]).toContain(signal);
});

it("a process that has computed for long is replaced between two expressions", async () => {
  const db = await openDatabase({ url: ":memory:", owner: { name: "test" } });
  const own = { clock: systemClock(), log: { warn() {}, debug() {} }, newId: () => crypto.randomUUID(), graceMs: 100 };
  const processes = new Processes({ db, ...own });
  let started = 0;
  const counted = {
    startLongLived(request: LongLivedRequest) {
      started++;
      return processes.startLongLived(request);
    },
  };
  const { signal } = new AbortController();
  for (const [replacedAt, expected] of [
    [Number.MAX_SAFE_INTEGER, 1],
    [0, 3],
  ] as const) {
    started = 0;
    const expressions = new Expressions(counted, replacedAt);
    for (const number of [1, 2, 3])
      expect(await expressions.evaluate(`a = ${number}`, '{"a": 2}', signal)).toEqual({
        ...{ met: number === 2, value: String(number === 2) },
      });
    expect(started).toBe(expected);
    expressions.close();
  }
  await processes.stop();
  await db.close();
});
