import { fakeContext } from "@agent-service/plugin-sdk/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import type { JsonObject } from "../json/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { createToolbox } from "../tool/index.ts";
import { boardTools, IssueBoard } from "./index.ts";

let db: Database;
const clock = manualClock(1_000);
const published: JsonObject[] = [];
let board: IssueBoard;
beforeAll(async () => {
  db = await openDatabase({ url: ":memory:", schema: "board", owner: { name: "test" } });
  const bus = { publish: (topic: string, data: JsonObject) => void published.push({ topic, ...data }) };
  board = new IssueBoard({ store: { get: async () => db, close: () => db.close() }, clock, bus });
});
afterAll(() => db.close());

/** Makes a call of a tool in the operator's conversation "talk". */
async function call(name: string, input: object, callId: string): Promise<unknown> {
  const tool = boardTools(board).find((one) => one.name === name)!;
  return tool.run(input, fakeContext({ callId, contextId: "talk" }));
}

describe("the task board", () => {
  it("gives each issue its own id, also after a deletion (IB3)", async () => {
    const first = await board.create({ title: "one" });
    await board.remove(first.id);
    const second = await board.create({ title: "two", type: "bug", priority: 0 });
    expect([first.id, second.id]).toEqual(["task-1", "task-2"]);
    expect(second).toMatchObject({ status: "open", type: "bug", priority: 0, session: "", createdAt: 1_000 });
    await expect(board.get("task-1")).rejects.toMatchObject({ code: "unknown_issue" });
    for (const id of ["task-0", "2", "task-2x", "task-99999999999999999999"])
      await expect(board.remove(id)).rejects.toMatchObject({ code: "unknown_issue" });
    const of = (topic: string) => published.filter((one) => one.topic === topic).map(({ id, action }) => [action, id]);
    expect(of("task.changed")).toEqual(of("board.changed"));
    expect(of("board.changed")).toEqual([
      ["created", "task-1"],
      ["deleted", "task-1"],
      ["created", "task-2"],
    ]);
  });

  it("remembers when and why an issue was closed, and forgets it when it is opened again", async () => {
    const { id } = await board.create({ title: "three" });
    await clock.advance(500);
    expect(await board.close(id, "done")).toMatchObject({ status: "closed", closedAt: 1_500, closeReason: "done" });
    await clock.advance(500);
    expect(await board.close(id, undefined)).toMatchObject({ closedAt: 1_500, closeReason: "done" });
    const opened = await board.update(id, { status: "blocked" });
    expect(opened).toMatchObject({ status: "blocked", closedAt: undefined, closeReason: "", title: "three" });
    expect(await board.update(id, { status: "closed" })).toMatchObject({ closedAt: 2_000, closeReason: "" });
  });

  it("carries a call out once, however often it is made (IB2)", async () => {
    const made = await call("task_create", { title: "once" }, "c1");
    expect(await call("task_create", { title: "once" }, "c1")).toEqual(made);
    const { id } = made as { id: string };
    await call("task_update", { issue_id: id, status: "in_progress" }, "c2");
    await board.update(id, { status: "deferred" });
    // A restart makes the call again; what an operator changed meanwhile stays.
    expect(await call("task_update", { issue_id: id, status: "in_progress" }, "c2")).toMatchObject({
      status: "deferred",
    });
    await call("task_close", { issue_id: id, reason: "" }, "c3");
    await board.update(id, { status: "open" });
    expect(await call("task_close", { issue_id: id, reason: "" }, "c3")).toMatchObject({ status: "open" });
    const titles = (await board.list({ limit: 50 })).map(({ title }) => title);
    expect(titles.filter((title) => title === "once")).toHaveLength(1);
  });

  it("shows the agent what is to be done, the most urgent first", async () => {
    const { id } = (await call("task_create", { title: "soon", priority: 1, issue_type: "chore" }, "c4")) as {
      id: string;
    };
    const list = String(await call("task_list", { include_closed: false }, "c5")).split("\n");
    expect(list[0]).toBe("task-2 [open, priority 0, bug] two");
    expect(list[1]).toBe(`${id} [open, priority 1, chore] soon`);
    expect(list.join()).not.toContain("three");
    expect(await call("task_list", { include_closed: true }, "c6")).toContain("three");
  });

  it("is not for the tasks of peers (A16)", () => {
    const toolbox = createToolbox(boardTools(board));
    expect(toolbox.for({ subagent: false, peer: true }).names).toEqual([]);
    expect(toolbox.for({ subagent: true, peer: false }).names).toEqual(toolbox.names);
  });

  it("finds issues by status, type and conversation, newest first", async () => {
    const numbers = async (filter: object) =>
      (await board.list({ limit: 50, ...filter })).map(({ id }) => Number(id.slice(5)));
    expect(await numbers({ type: "bug" })).toEqual([2]);
    expect(await numbers({ status: "closed" })).toEqual([3]);
    const all = await numbers({});
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(await numbers({ limit: 1, before: all[0] })).toEqual([all[1]]);
    expect((await board.list({ limit: 50, session: "talk" })).every(({ session }) => session === "talk")).toBe(true);
  });

  it("refuses more issues than it may hold (EN10)", async () => {
    const filler =
      "INSERT INTO issue (title, description, status, priority, type, assignee, session, created_at, updated_at, close_reason) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT 'x', '', 'closed', 2, 'task', '', '', 0, 0, '' FROM n";
    await db.commit({ label: "test", statements: [{ sql: filler, args: [] }] });
    await expect(board.create({ title: "one too many" })).rejects.toMatchObject({ code: "full" });
  });
});
