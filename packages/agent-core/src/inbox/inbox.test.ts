import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AgentCore, createAgentCore } from "../create-agent-core.ts";
import { scripted } from "../model/index.ts";
import { type ManualClock, manualClock } from "../testing/manual-clock.ts";
import { inbox, type NewInboxItem } from "./index.ts";

const START = 1_700_000_000_000;
let clock: ManualClock;
const features = [inbox] as const;
const model = { model: scripted(), name: "demo" };
let core: AgentCore<typeof features>;
beforeEach(async () => {
  clock = manualClock(START);
  core = await createAgentCore({ store: ":memory:", clock, model, features });
});
afterEach(() => core.stop({ graceMs: 0 }));

const item = (text: string, more: Partial<NewInboxItem> = {}): NewInboxItem => ({
  text,
  priority: "next",
  source: "",
  dedupKey: undefined,
  ...more,
});
const waiting = async (): Promise<string[]> =>
  (await core.features.inbox.list({ floor: "later", includeDelivered: false, limit: 100 })).map(({ text }) => text);
const textOfTask = async (id: string): Promise<string> => {
  const input = (await core.tasks.get(id))?.view.history[0];
  return input?.from === "caller" && input.message.parts[0]?.kind === "text" ? input.message.parts[0].text : "";
};
/** Records an outcome of a call, as the turn it belongs to does. */
const call = (id: string, outcome: string | null) =>
  core.db.commit({
    label: "test",
    statements: [
      {
        sql: "INSERT OR REPLACE INTO call (id, class, context, task, name, args, digest, outcome, started_at) VALUES (?, 'operator', 'c', 't', 'check_inbox', '{}', 'd', ?, 0)",
        args: [id, outcome],
      },
    ],
  });

describe("waiting", () => {
  it("delivers by urgency, each item once (IN2)", async () => {
    for (const [text, priority] of [
      ["whenever", "later"],
      ["first", "next"],
      ["second", "next"],
    ] as const)
      await core.features.inbox.add(item(text, { priority }));
    await call("c1", null);
    expect((await core.features.inbox.take("c1", "next", 1)).map(({ text }) => text)).toEqual(["first"]);
    await call("c2", null);
    expect((await core.features.inbox.take("c2", "next", 10)).map(({ text }) => text)).toEqual(["second"]);
    expect(await waiting()).toEqual(["whenever"]);
  });

  it("publishes new items as inbox.added, waiting ones as inbox.item, and delivered ones as inbox.delivered", async () => {
    const pages = core.bus.follow(core.bus.cursor, new AbortController().signal);
    const first = pages.next();
    const queued = await core.features.inbox.add(item("first", { priority: "later", source: "mail" }));
    await core.features.inbox.add(item("urgent", { priority: "now" }));
    await call("c1", null);
    await core.features.inbox.take("c1", "later", 1);
    core.bus.close();
    const events = [...((await first).value ?? []), ...(await Array.fromAsync(pages)).flat()];
    const own = events.flatMap(({ topic, text }) =>
      topic.startsWith("inbox.") ? [[topic, (JSON.parse(text) as { data: { text: string } }).data] as const] : [],
    );
    expect(own.map(([topic, { text }]) => [topic, text])).toEqual([
      ["inbox.added", "first"],
      ["inbox.item", "first"],
      ["inbox.added", "urgent"],
      ["inbox.delivered", "urgent"],
      ["inbox.delivered", "first"],
    ]);
    expect(own[1]?.[1]).toEqual({
      ...{ id: queued.item.id, origin: "inbox", priority: "later", state: "waiting", source: "mail", text: "first" },
    });
  });

  it("gives a call that is made again what it had, and back what a failed call took (IN2, R3)", async () => {
    await core.features.inbox.add(item("precious"));
    await call("c1", null);
    const first = await core.features.inbox.take("c1", "next", 10);
    await core.features.inbox.add(item("later on"));
    expect((await core.features.inbox.take("c1", "next", 10)).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(await waiting()).toEqual(["later on"]);
    await call("c1", "aborted");
    expect(await waiting()).toEqual(["later on", "precious"]);
    await call("c2", null);
    expect(await core.features.inbox.take("c2", "next", 10)).toHaveLength(2);
    await call("c2", "ok");
    expect(await waiting()).toEqual([]);
    // Settled: nothing that happens to the call's row gives it back.
    await call("c2", "error");
    expect(await waiting()).toEqual([]);
  });

  it("rejects duplicates of a key for 300 s while the first one waits", async () => {
    const one = await core.features.inbox.add(item("a", { dedupKey: "k" }));
    const second = await core.features.inbox.add(item("b", { dedupKey: "k" }));
    expect([one.outcome, second.outcome, second.item.id]).toEqual(["queued", "duplicate", one.item.id]);
    expect((await core.features.inbox.add(item("c", { dedupKey: "other" }))).outcome).toBe("queued");
    await clock.advance(300_000);
    expect((await core.features.inbox.add(item("d", { dedupKey: "k" }))).outcome).toBe("queued");
    await core.features.inbox.take("c1", "later", 10);
    await call("c1", "ok");
    expect((await core.features.inbox.add(item("e", { dedupKey: "k" }))).outcome).toBe("queued");
    const now = item("f", { dedupKey: "alarm", priority: "now" });
    expect([(await core.features.inbox.add(now)).outcome, (await core.features.inbox.add(now)).outcome]).toEqual([
      "fired",
      "duplicate",
    ]);
  });

  it("refuses what it cannot hold (EN10)", async () => {
    const filler =
      "INSERT INTO inbox (text, priority, source, created_at, settled, interrupted) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT 'x', 2, '', 0, 0, 0 FROM n";
    await core.db.commit({ label: "test", statements: [{ sql: filler, args: [] }] });
    await expect(core.features.inbox.add(item("one too many"))).rejects.toMatchObject({ code: "full" });
  });
});

describe("a restart", () => {
  it("gives back what a turn had that it ended, twice at most, and starts one again (IN2, A18)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "inbox-"));
    const open = () => createAgentCore({ store: `file:${folder}/agent.db`, model, features, onRestart: "fail" });
    const states = async (of: typeof core) => {
      const sql = "SELECT state FROM task WHERE origin = 'inbox' ORDER BY id DESC";
      return (await of.db.read({ sql, args: [] })).map(([state]) => state);
    };
    const first = await open();
    expect((await first.features.inbox.add(item("/wait 60000", { priority: "now" }))).outcome).toBe("fired");
    await first.stop({ graceMs: 0 });
    for (const before of [["failed"], ["failed", "failed"]]) {
      const again = await open();
      await expect.poll(() => states(again), { interval: 2 }).toEqual(["running", ...before]);
      await again.stop({ graceMs: 0 });
    }
    const last = await open();
    expect(await last.features.inbox.list({ floor: "later", includeDelivered: false, limit: 10 })).toEqual([]);
    expect(await states(last)).toEqual(["failed", "failed", "failed"]);
    await last.stop({ graceMs: 0 });
    rmSync(folder, { recursive: true });
  });
});

describe("turns", () => {
  it("start with an item of priority now, in the activity conversation, unattended (IN3, R7)", async () => {
    const { outcome, task } = await core.features.inbox.add(item("build broke", { priority: "now", source: "ci" }));
    expect(outcome).toBe("fired");
    const handle = (await core.tasks.get(task!))!;
    expect(handle.view).toMatchObject({
      context: "system:activity",
      origin: "inbox",
      provenance: { trigger: "inbox:1", priority: "now" },
    });
    expect(await textOfTask(task!)).toBe("[Inbox item 1, priority now, from ci]\nbuild broke");
    expect(JSON.parse((await core.journal.optionsOf(task!))!)).toEqual({ unattended: true });
    expect(await waiting()).toEqual([]);
  });

  it("are 8 in 60 s; the rest waits and comes in one turn when the time is there (IN3)", async () => {
    const outcomes: string[] = [];
    for (let i = 0; i < 11; i++)
      outcomes.push((await core.features.inbox.add(item(`n${i}`, { priority: "now" }))).outcome);
    expect(outcomes.filter((outcome) => outcome === "fired")).toHaveLength(8);
    expect(await waiting()).toEqual(["n10", "n9", "n8"]);
    await clock.advance(60_000);
    await expect.poll(waiting, { interval: 2 }).toEqual([]);
    const [[newest]] = (await core.db.read({ sql: "SELECT max(id) FROM task", args: [] })) as [[string]];
    const view = (await core.tasks.get(newest))?.view;
    expect(view).toMatchObject({ provenance: { trigger: "inbox:9,10,11", priority: "now" }, origin: "inbox" });
    expect(await textOfTask(newest)).toContain("n10");
  });

  it("start with whatever an operator delivers, and no item starts two", async () => {
    const { item: added } = await core.features.inbox.add(item("by hand", { priority: "later" }));
    const tasks = await Promise.all([core.features.inbox.deliver(added.id), core.features.inbox.deliver(added.id)]);
    expect(tasks.filter((task) => task !== undefined)).toHaveLength(1);
    await expect(core.features.inbox.deliver(999)).rejects.toMatchObject({ code: "unknown_item" });
  });
});
