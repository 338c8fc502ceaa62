import { afterAll, afterEach, expect, test } from "vitest";
import { coreBench, STANDARD, textInput } from "../core-bench.ts";
import { createRedactor } from "../redaction/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type SharedCopy, type ShareInclude, type ShareRequest, shares } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const SECRET = "the-operators-own-secret";
const DAY_MS = 86_400_000;
const NOTHING: ShareInclude = { toolArguments: false, toolResults: false, reasoning: false, persona: false };
const clock = manualClock();

async function started(answer: (call: number) => string = () => "Done.") {
  let calls = 0;
  const core = await bench.start({
    model: scriptedModel(() => answer(calls++)),
    clock,
    redactor: createRedactor({ secrets: () => [SECRET] }),
    settings: () => ({ enabled: true }),
    features: [...STANDARD, shares],
  });
  const render = async (copy: SharedCopy): Promise<string> => JSON.stringify(copy);
  return {
    core,
    shares: core.features.shares,
    async send(context: string, text: string, { incognito = false, caller = "operator" } = {}) {
      const input = { ...textInput(text), ...(incognito && { metadata: { incognito: true } }) };
      const task = await core.service.start({ class: caller, context, origin: "chat", input });
      await task.settled();
      await core.service.runner.idle(1_000);
      return task.id;
    },
    create: (of: ShareRequest["of"], { key, lifetimeMs = DAY_MS }: { key?: string; lifetimeMs?: number } = {}) =>
      core.features.shares.create({ of, include: NOTHING, lifetimeMs, key }, render),
  };
}

test("a title is redacted before it is cut, so that no part of a secret is left at its end", async () => {
  const { send, shares, create } = await started();
  const task = await send("s", `${"word ".repeat(12)}${SECRET} and more of it`);
  for (const what of [{ session: "s" }, { task }]) {
    const { share } = await create(what);
    expect(share.title).not.toContain("operators");
    expect((await shares.preview({ of: what, include: NOTHING })).title).toBe(share.title);
  }
});

test("a share that is being drawn while its session is deleted is not made", async () => {
  const { core, send, shares, create } = await started();
  await send("s", "hello");
  const made = core.features.shares.create(
    { of: { session: "s" }, include: NOTHING, lifetimeMs: DAY_MS, key: undefined },
    async () => {
      await core.features.sessions.removal.remove("s", { retire: true });
      return "page";
    },
  );
  await expect(made).rejects.toMatchObject({ code: "not_found" });
  expect(await shares.list()).toEqual([]);
  await expect(create({ session: "s" })).rejects.toMatchObject({ code: "not_found" });
});

test("a conversation that turned incognito while it is drawn is not shared", async () => {
  const { core, send, shares } = await started();
  await send("s", "hello");
  const made = shares.create(
    { of: { session: "s" }, include: NOTHING, lifetimeMs: DAY_MS, key: undefined },
    async () => {
      await send("s", "hush", { incognito: true });
      return "page";
    },
  );
  await expect(made).rejects.toMatchObject({ code: "incognito" });
  expect(await core.features.shares.list()).toEqual([]);
});

test("a share of a run goes with its task, whoever's it is", async () => {
  const { send, shares, create } = await started();
  const task = await send("theirs", "hello", { caller: "federation" });
  const { link } = await create({ task });
  expect(await shares.page(link)).toBeDefined();
  await shares.forgetTasks([task]);
  expect(await shares.page(link)).toBeUndefined();
});

test("what expired is out of lists and pages at once, and out of the store with the next sweep", async () => {
  const { core, send, shares, create } = await started();
  await send("s", "hello");
  const { link } = await create({ session: "s" }, { lifetimeMs: 1_000 });
  await clock.advance(999);
  expect(await shares.page(link)).toBeDefined();
  await clock.advance(1);
  expect([await shares.page(link), await shares.list()]).toEqual([undefined, []]);
  const stored = async () => (await core.db.read({ sql: "SELECT 1 FROM share", args: [] })).length;
  expect(await stored()).toBe(1);
  await shares.sweep(clock.now());
  expect(await stored()).toBe(0);
});

test("a copy has a bound, and one that is beyond it is refused whole", async () => {
  const { send, create } = await started(() => "long ".repeat(13_000));
  for (let turn = 0; turn < 19; turn++) await send("s", "go on");
  const task = await send("s", "four");
  await expect(create({ session: "s" })).rejects.toMatchObject({ code: "too_large" });
  expect((await create({ task })).share.task).toBe(task);
});
