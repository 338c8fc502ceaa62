import { afterEach, describe, expect, test } from "vitest";
import { EgressError } from "../egress/index.ts";
import { EVENTS, renderKinds, type WebhookBench, webhookBench } from "../webhook-bench.ts";
import { Webhooks } from "./index.ts";

const benches: WebhookBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.end();
});

async function open(): Promise<WebhookBench> {
  const bench = await webhookBench();
  benches.push(bench);
  return bench;
}

const START = Date.UTC(2026, 0, 1);
/** What was POSTed, as `<milliseconds since the start> <event id>`. */
const seen = ({ receivers }: WebhookBench) => receivers.posts.map(({ at, id }) => `${at - START} ${id}`);
const rowsOf = async ({ db }: WebhookBench): Promise<number> =>
  Number((await db.read({ sql: "SELECT count(*) FROM push_config", args: [] }))[0]?.[0]);

describe("what is sent (B22)", () => {
  test("the first working at once, progress 1.5 s apart with the latest state, the end at once", async () => {
    const bench = await open();
    const record = await bench.accept("t", bench.config("t"));
    await bench.rest();
    await bench.append(record, EVENTS.started);
    await bench.pass(700);
    await bench.append(record, EVENTS.delta, EVENTS.finished);
    await bench.pass(500);
    await bench.append(record, EVENTS.delta);
    await bench.pass(2_000);
    await bench.append(record, EVENTS.started);
    await bench.pass(100);
    await bench.append(record, EVENTS.answer, EVENTS.completed);
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1", "1500 t/4", "3200 t/6", "3300 t/8"]);
    expect(bench.outcomes).toEqual(Array(4).fill("delivered"));
    expect(bench.webhooks.load()).toEqual({ open: 0, active: 0, waiting: 0 });
  });

  test("a park at once, although progress was sent a moment ago, and the answer to it as progress", async () => {
    const bench = await open();
    const record = await bench.accept("t", bench.config("t"));
    await bench.pass(100);
    await bench.append(record, EVENTS.parked);
    await bench.pass(100);
    await bench.append(record, EVENTS.answered);
    await bench.pass(5_000);
    expect(seen(bench)).toEqual(["0 t/1", "100 t/2", "1600 t/3"]);
  });

  test("a completed task in several POSTs where the form asks for them, each tried for itself", async () => {
    const bench = await open();
    const record = await bench.accept("t", bench.config("t", { version: "1.0" }));
    await bench.rest();
    bench.receivers.behave((post) => (post.body === "answer" ? 503 : 200));
    await bench.append(record, EVENTS.delta, EVENTS.answer, EVENTS.completed);
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1", "0 t/3", "1000 t/3", "4000 t/3", "13000 t/3", "13000 t/4"]);
    expect(bench.receivers.posts.map(({ body }) => body).slice(-2)).toEqual(["answer", "task.completed"]);
  });

  test("every config of a task, each by itself", async () => {
    const bench = await open();
    const other = bench.config("t", { id: "other", url: "https://other.test/hook" });
    bench.receivers.behave((post) => (post.url.includes("other") ? "hang" : 200));
    const record = await bench.accept("t", bench.config("t"), other);
    await bench.rest();
    await bench.append(record, EVENTS.answer, EVENTS.completed);
    await bench.rest();
    const to = (host: string) => bench.receivers.posts.filter(({ url }) => url.includes(host)).map(({ id }) => id);
    expect([to("receiver"), to("other")]).toEqual([["t/1", "t/3"], ["t/1"]]);
  });

  test("nothing of a task without webhooks, and nothing after the end", async () => {
    const bench = await open();
    const record = await bench.accept("t");
    await bench.append(record, EVENTS.started, EVENTS.completed);
    await bench.pass(60_000);
    expect(bench.receivers.posts).toEqual([]);
  });
});

describe("a POST that does not arrive (W2; WH3)", () => {
  test.each([[500], [503], ["vanish"]] as const)(
    "%s: is made again after 1, 3 and 9 s, then given up [R10-13.2-3, R10-4.3.3-2]",
    async (how) => {
      const bench = await open();
      bench.receivers.behave(how);
      await bench.accept("t", bench.config("t"));
      await bench.pass(120_000);
      expect(seen(bench)).toEqual(["0 t/1", "1000 t/1", "4000 t/1", "13000 t/1"]);
      expect(bench.outcomes.map((outcome) => outcome.split(":")[0])).toEqual([
        "retried",
        "retried",
        "retried",
        "failed",
      ]);
    },
  );

  test("no answer: counts as failed after 10 s [R10-4.3.3-3, R10-13.2-2]", async () => {
    const bench = await open();
    bench.receivers.behave("hang");
    await bench.accept("t", bench.config("t"));
    await bench.pass(120_000);
    expect(seen(bench)).toEqual(["0 t/1", "11000 t/1", "24000 t/1", "43000 t/1"]);
    expect(bench.outcomes.at(-1)).toBe("failed: event 1: no answer within 10000 ms");
    expect(bench.receivers.posts.every(({ end }) => end === "aborted")).toBe(true);
  });

  test.each([[400], [404], [410], [429], [301], [302], [308]])("%i: is not made again", async (status) => {
    const bench = await open();
    bench.receivers.behave(status);
    await bench.accept("t", bench.config("t"));
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1"]);
    expect(bench.outcomes).toEqual([`failed: event 1: answered with ${status}`]);
  });

  test("an address that the guard refuses by now: is not made again", async () => {
    const bench = await open();
    bench.receivers.behave(() => {
      throw new EgressError("egress.refused-address", "the host receiver.test is refused");
    });
    await bench.accept("t", bench.config("t"));
    await bench.pass(60_000);
    expect(bench.outcomes).toEqual(["failed: event 1: the host receiver.test is refused"]);
  });

  test("the newer state is sent when due once the older one is given up", async () => {
    const bench = await open();
    bench.receivers.behave((post) => (post.id === "t/1" ? 500 : 200));
    const record = await bench.accept("t", bench.config("t"));
    await bench.pass(2_000);
    await bench.append(record, EVENTS.started, EVENTS.finished);
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1", "1000 t/1", "4000 t/1", "13000 t/1", "14500 t/3"]);
  });

  test("after an end is given up nothing is sent; the next task is notified as ever", async () => {
    const bench = await open();
    bench.receivers.behave(500);
    const record = await bench.accept("t");
    await bench.append(record, EVENTS.failed);
    await bench.webhooks.set(bench.config("t"));
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/2", "1000 t/2", "4000 t/2", "13000 t/2"]);
    expect(bench.webhooks.load().open).toBe(0);
    await bench.accept("u", bench.config("u"));
    await bench.rest();
    expect(seen(bench).at(-1)).toContain("u/1");
  });
});

describe("an end or a park (W2; WH2)", () => {
  test("is sent at once, instead of retries of older states", async () => {
    const bench = await open();
    bench.receivers.behave((post) => (post.id === "t/1" ? 500 : 200));
    const record = await bench.accept("t", bench.config("t"));
    await bench.pass(2_000);
    await bench.append(record, EVENTS.parked);
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1", "1000 t/1", "2000 t/2"]);
  });

  test("leaves a POST in progress 200 ms, then aborts it", async () => {
    const bench = await open();
    bench.receivers.behave((post) => (post.id === "t/1" ? "hang" : 200));
    const record = await bench.accept("t", bench.config("t"));
    await bench.pass(500);
    await bench.append(record, EVENTS.completed);
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1", "700 t/2"]);
    expect(bench.receivers.posts[0]?.end).toBe("aborted");
    expect(bench.outcomes).toEqual(["superseded", "delivered"]);
  });

  test("is sent as soon as the POST in progress is answered", async () => {
    const bench = await open();
    bench.receivers.behave((post) => (post.id === "t/1" ? "hang" : 200));
    const record = await bench.accept("t", bench.config("t"));
    await bench.pass(500);
    await bench.append(record, EVENTS.completed);
    await bench.pass(50);
    bench.receivers.answer(200);
    await bench.receivers.until(2);
    expect(seen(bench)).toEqual(["0 t/1", "550 t/2"]);
  });

  test("that comes before the first POST was even begun lets that one be made", async () => {
    const bench = await open();
    bench.receivers.behave((post) => (post.id === "t/1" ? "hang" : 200));
    const record = await bench.accept("t", bench.config("t"));
    await bench.append(record, EVENTS.completed);
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1", "200 t/2"]);
  });

  test("is sent before progress that came after it, and a park not sent yet is replaced by the end", async () => {
    const bench = await open();
    bench.receivers.behave("hang");
    const record = await bench.accept("t", bench.config("t"));
    await bench.rest();
    await bench.append(record, EVENTS.parked);
    await bench.append(record, EVENTS.answered, EVENTS.started);
    await bench.pass(200);
    expect(seen(bench).at(-1)).toBe("200 t/2");
    await bench.append(record, EVENTS.parked);
    await bench.append(record, EVENTS.completed);
    bench.receivers.behave(200);
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1", "200 t/2", "400 t/6"]);
  });
});

describe("a config set on a task that exists (W1)", () => {
  test("is sent the task's current state: working, waiting or ended", async () => {
    const bench = await open();
    const working = await bench.accept("w");
    await bench.append(working, EVENTS.started, EVENTS.delta);
    const waiting = await bench.accept("p");
    await bench.append(waiting, EVENTS.parked);
    const ended = await bench.accept("e");
    await bench.append(ended, EVENTS.answer, EVENTS.completed);
    for (const task of ["w", "p", "e"]) await bench.webhooks.set(bench.config(task));
    await bench.rest();
    expect(bench.receivers.posts.map(({ id }) => id).sort()).toEqual(["e/3", "p/2", "w/2"]);
    expect(bench.webhooks.load().open).toBe(2);
  });

  test("replaces the one of its id, which is sent nothing more", async () => {
    const bench = await open();
    bench.receivers.behave((post) => (post.url.includes("old") ? "hang" : 200));
    const record = await bench.accept("t", bench.config("t", { url: "https://old.test/" }));
    await bench.rest();
    await bench.webhooks.set(bench.config("t", { url: "https://new.test/", token: "secret-token" }));
    await bench.rest();
    await bench.append(record, EVENTS.completed);
    await bench.pass(60_000);
    expect(bench.receivers.posts.map(({ url, id }) => `${url} ${id}`)).toEqual([
      "https://old.test/ t/1",
      "https://new.test/ t/1",
      "https://new.test/ t/2",
    ]);
    expect(bench.receivers.posts[0]?.end).toBe("aborted");
    expect(await bench.webhooks.list("t")).toEqual([
      bench.config("t", { url: "https://new.test/", token: "secret-token" }),
    ]);
  });

  test("belongs to its class: another class's of the same id stays", async () => {
    const bench = await open();
    const record = await bench.accept("t", bench.config("t"));
    await bench.webhooks.set(bench.config("t", { class: "federation", url: "https://peer.test/" }));
    expect((await bench.webhooks.list("t")).map((config) => config.class)).toEqual(["operator", "federation"]);
    await bench.webhooks.remove({ task: "t", class: "operator", id: "t" });
    await bench.rest();
    await bench.append(record, EVENTS.completed);
    await bench.rest();
    expect(bench.receivers.posts.at(-1)).toMatchObject({ url: "https://peer.test/", id: "t/2" });
    expect((await bench.webhooks.list("t")).map((config) => config.class)).toEqual(["federation"]);
  });

  test("is one of sixteen at most, and none of a task that does not exist", async () => {
    const bench = await open();
    await bench.accept("t");
    const ids = Array.from({ length: 16 }, (_, i) => `c${i}`);
    await Promise.all(ids.map((id) => bench.webhooks.set(bench.config("t", { id }))));
    await expect(bench.webhooks.set(bench.config("t", { id: "one more" }))).rejects.toMatchObject({ code: "too_many" });
    await bench.webhooks.set(bench.config("t", { id: "c3", url: "https://again.test/" }));
    await bench.webhooks.set(bench.config("t", { id: "peer", class: "federation" }));
    expect(await bench.webhooks.list("t")).toHaveLength(17);
    await expect(bench.webhooks.set(bench.config("nobody"))).rejects.toThrow();
    // Sets that race past the check meet the statement's own bound.
    await bench.accept("u");
    const racing = Array.from({ length: 20 }, (_, i) => bench.webhooks.set(bench.config("u", { id: `c${i}` })));
    const ends = await Promise.allSettled(racing);
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(4);
    expect(await bench.webhooks.list("u")).toHaveLength(16);
  });

  test("is refused with its URL by the guard, and changes nothing then", async () => {
    const bench = await open();
    await bench.accept("t");
    bench.receivers.egress.check = () => Promise.reject(new EgressError("egress.refused-host", "not public"));
    await expect(bench.webhooks.set(bench.config("t"))).rejects.toMatchObject({ code: "egress.refused-host" });
    expect(await rowsOf(bench)).toBe(0);
  });
});

describe("a removed config", () => {
  test("is sent nothing more, and removing it again is fine", async () => {
    const bench = await open();
    bench.receivers.behave("hang");
    const record = await bench.accept("t", bench.config("t"));
    await bench.rest();
    for (let times = 0; times < 2; times++) await bench.webhooks.remove(bench.config("t"));
    expect(bench.receivers.posts[0]?.end).toBe("aborted");
    await bench.append(record, EVENTS.completed);
    await bench.pass(60_000);
    expect([bench.receivers.posts.length, await rowsOf(bench), bench.webhooks.load().open]).toEqual([1, 0, 0]);
  });

  test("is removed 24 h after its task's end was sent; that of a running task stays [R10-3.1.7-2]", async () => {
    const bench = await open();
    const record = await bench.accept("t", bench.config("t"));
    await bench.accept("working", bench.config("working"));
    await bench.append(record, EVENTS.completed);
    await bench.pass(24 * 3_600_000 - 1_000);
    await bench.webhooks.sweep();
    expect([await rowsOf(bench), (await bench.webhooks.list("t")).length]).toEqual([2, 1]);
    await bench.pass(3_600_000);
    expect(await bench.webhooks.list("t")).toEqual([]);
    await bench.webhooks.sweep();
    expect(await rowsOf(bench)).toBe(1);
  });
});

describe("after a restart (W2, A18)", () => {
  test("retries continue by their schedule, counted from before", async () => {
    const bench = await open();
    bench.receivers.behave(500);
    await bench.accept("t", bench.config("t"));
    await bench.pass(2_500);
    await bench.restart();
    await bench.pass(60_000);
    expect(seen(bench)).toEqual(["0 t/1", "1000 t/1", "4000 t/1", "13000 t/1"]);
  });

  test("events that came while the service was down are sent at once, those sent before are not", async () => {
    const bench = await open();
    const [ended, sent, retried] = await Promise.all(
      ["ended", "sent", "retried"].map((task) => bench.accept(task, bench.config(task))),
    );
    await bench.rest();
    await bench.append(sent!, EVENTS.parked);
    await bench.rest();
    bench.receivers.behave(500);
    await bench.append(retried!, EVENTS.parked);
    await bench.rest();
    await bench.webhooks.stop(0);
    const before = bench.receivers.posts.length;
    await bench.append(ended!, EVENTS.failed);
    await bench.append(retried!, EVENTS.failed);
    bench.receivers.behave(200);
    await bench.restart();
    await bench.pass(60_000);
    const after = bench.receivers.posts.slice(before).map(({ id }) => id);
    expect(after.sort()).toEqual(["ended/2", "retried/3"]);
  });

  test("a POST whose answer was never written down is made again under its id", async () => {
    const bench = await open();
    bench.receivers.behave("hang");
    const record = await bench.accept("t", bench.config("t", { version: "1.0" }));
    await bench.append(record, EVENTS.answer, EVENTS.completed);
    await bench.pass(200);
    bench.receivers.behave((post) => (post.body === "answer" ? 200 : "hang"));
    await bench.restart();
    await bench.rest();
    bench.receivers.behave(200);
    await bench.restart();
    await bench.pass(60_000);
    const posts = bench.receivers.posts.map(({ id, body }) => `${id} ${body}`);
    // The part that arrived is not sent again; the one that hung is.
    expect(posts.slice(-3)).toEqual(["t/2 answer", "t/3 task.completed", "t/3 task.completed"]);
    expect(posts.filter((post) => post === "t/2 answer").length).toBeGreaterThanOrEqual(1);
    expect(bench.webhooks.load().open).toBe(0);
  });

  test("a shutdown leaves POSTs in progress their time, within bounds", async () => {
    const bench = await open();
    bench.receivers.behave("hang");
    const record = await bench.accept("t", bench.config("t"));
    await bench.rest();
    await bench.append(record, EVENTS.completed);
    await bench.pass(200);
    const stopped = bench.webhooks.stop(2_000);
    bench.receivers.answer(200);
    await stopped;
    await bench.restart();
    await bench.pass(60_000);
    expect(bench.receivers.posts.filter(({ id }) => id === "t/2")).toHaveLength(1);
  });
});

describe("bounds", () => {
  test("64 POSTs at a time, 8 to one host; who waits has its turn", async () => {
    const bench = await open();
    bench.receivers.behave("hang");
    for (let i = 0; i < 30; i++) {
      const task = `t${i}`;
      const urls = Array.from({ length: 4 }, (_, k) => `https://host${i < 5 ? 0 : 4 * i + k}.test/`);
      await bench.accept(task, ...urls.map((url, k) => bench.config(task, { id: `c${k}`, url })));
    }
    await bench.rest();
    expect(bench.receivers.hanging).toBe(64);
    const perHost = Map.groupBy(bench.receivers.posts, ({ url }) => url);
    expect(Math.max(...[...perHost.values()].map((posts) => posts.length))).toBe(8);
    bench.receivers.behave(200);
    while (bench.receivers.hanging > 0) bench.receivers.answer(200);
    await bench.receivers.until(120);
    await bench.rest();
    expect(bench.webhooks.load()).toEqual({ open: 120, active: 0, waiting: 0 });
  });

  test("secrets are given to the redactor, those of the newest 256", async () => {
    const bench = await open();
    const authentication = { scheme: "Bearer", credentials: "some credential" };
    await bench.accept("t", bench.config("t", { token: "the first token", authentication }));
    await bench.accept("short", bench.config("short", { token: "completed" }));
    expect([...bench.secrets]).toEqual(["the first token", "some credential"]);
    for (let i = 0; i < 20; i++) {
      const ids = Array.from({ length: 16 }, (_, k) => `${i}-${k}`);
      await bench.accept(`u${i}`, ...ids.map((id) => bench.config(`u${i}`, { id, token: `the-token-${id}` })));
    }
    const secrets = [...bench.secrets];
    expect([secrets.length, secrets.at(-1)]).toEqual([256, "the-token-19-15"]);
  });
});

test("an event that cannot be rendered is given up, logged, and delays nothing", async () => {
  const bench = await webhookBench((config, update) => {
    if (update.event.event.kind === "tool.started") throw new Error("no text");
    return renderKinds(config, update);
  });
  benches.push(bench);
  const record = await bench.accept("t", bench.config("t"));
  await bench.append(record, EVENTS.started);
  await bench.pass(2_000);
  await bench.append(record, EVENTS.completed);
  await bench.rest();
  expect(bench.receivers.posts.at(-1)?.id).toBe("t/3");
  expect(bench.log.join()).toContain("no text");
});

test("an event that is overtaken while it is read is not sent (WH2)", async () => {
  const bench = await open();
  const gate = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  const { db, journal, clock, receivers } = bench;
  const gated = {
    ...{ durable: db.durable, description: db.description, state: db.state },
    ...{ close: () => db.close(), commit: db.commit.bind(db), eraseRemains: () => db.eraseRemains() },
    async read(statement: Parameters<typeof db.read>[0]) {
      const rows = await db.read(statement);
      if (statement.sql !== journal.statements.selectEvent.sql) return rows;
      reading.resolve();
      await gate.promise;
      return rows;
    },
  };
  const options = { egress: () => receivers.egress, render: renderKinds };
  const webhooks = new Webhooks(options, {
    db: gated,
    journal,
    clock,
    bus: { publish() {} },
    log: { warn: (line) => bench.log.push(line) },
  });
  const record = await bench.accept("t");
  await webhooks.set(bench.config("t"));
  await reading.promise;
  await bench.append(record, EVENTS.completed);
  gate.resolve();
  await receivers.until(1);
  expect(receivers.posts.map(({ id }) => id)).toEqual(["t/2"]);
  await webhooks.stop(0);
});

test("a store that cannot write keeps the order (WH1): the next is sent once the last is stored", async () => {
  const bench = await open();
  let full = true;
  const { db } = bench;
  const slow = {
    ...{ durable: db.durable, description: db.description, state: db.state, close: () => db.close() },
    eraseRemains: () => db.eraseRemains(),
    read: db.read.bind(db),
    commit: (command: Parameters<typeof db.commit>[0]) =>
      full && command.label === "webhook.told" ? Promise.reject(new Error("full")) : db.commit(command),
  };
  const { journal, clock, receivers } = bench;
  const options = { egress: () => receivers.egress, render: () => [{ seq: 1, headers: {}, body: "" }] };
  const webhooks = new Webhooks(options, {
    db: slow,
    journal,
    clock,
    bus: { publish() {} },
    log: { warn: (line) => bench.log.push(line) },
  });
  await bench.accept("t");
  await webhooks.set(bench.config("t"));
  await receivers.until(1);
  await clock.untilPending(1);
  await clock.advance(3_000);
  expect([receivers.posts.length, webhooks.load().active]).toEqual([1, 1]);
  expect(bench.log).toEqual(["a webhook of task t waits for the store: Error: full"]);
  full = false;
  await clock.advance(1_000);
  while (webhooks.load().active > 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await db.read({ sql: "SELECT cursor FROM push_config", args: [] })).toEqual([[1]]);
  await webhooks.stop(0);
});
