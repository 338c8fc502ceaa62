/** Calls that a server of 2026 carries out as tasks of its own. */
import { OutcomeUnknownError } from "@agent-service/plugin-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { errorOf, kept, serversBench } from "../mcp-servers-bench.ts";
import { asking, beginTaskServer, completed, TaskServer, WORKING } from "../mcp-task-server-bench.ts";
import { DefinitionPins } from "./index.ts";

const bench = serversBench();
beforeEach(() => bench.begin());
afterEach(() => bench.end());

async function begin(...states: TaskServer["states"]) {
  const opened = await beginTaskServer(bench, await DefinitionPins.open(bench.store()), ...states);
  /** Turns the clock until a call has its outcome. */
  const turning = async <T>(outcome: T | Promise<T>, clock = opened.clock): Promise<T> => {
    let isSettled = false;
    const settled = Promise.resolve(outcome).finally(() => {
      isSettled = true;
    });
    settled.catch(() => {});
    await expect
      .poll(
        async () => {
          if (!isSettled) await clock.advance(1_000);
          return isSettled;
        },
        { interval: 2 },
      )
      .toBe(true);
    return settled;
  };
  return { ...opened, turning };
}

describe("a call that became a task", () => {
  test("is kept, asked for at the server's interval, and has its result", async () => {
    const { server, clock, tool } = await begin({ ...WORKING, statusMessage: "page 1" }, completed("printed"));
    const said: unknown[] = [];
    const { notes, context } = kept({ progress: (line) => void said.push(line) });
    const outcome = tool("s__print").run({}, context);
    await expect.poll(() => notes).toMatchObject([{ kind: "task", id: "task-a", intervalMs: 2_000 }]);
    await clock.advance(1_999);
    expect(server.methods()).toEqual(["tools/call"]);
    await clock.advance(1);
    await expect.poll(() => said).toEqual(["page 1"]);
    await clock.advance(2_000);
    expect(await outcome).toMatchObject({ text: "printed" });
    expect(server.methods()).toEqual(["tools/call", "tasks/get", "tasks/get"]);
    expect(server.headers).toEqual(["print", "task-a", "task-a"]);
    expect(server.requests[0]?.params?._meta).toMatchObject({
      "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
    });
  });

  test("is asked for by another process, and never sent again", async () => {
    const { server, settings, pins, servers, tool } = await begin(WORKING);
    const { notes, context } = kept();
    void Promise.resolve(tool("s__print").run({}, context)).catch(() => {});
    await expect.poll(() => notes.length).toBe(1);
    await servers.stop();
    server.states = [completed("printed")];
    const second = await bench.open(settings, pins);
    await second.ready("s");
    expect(await second.tool("s__print").reattach?.({}, kept({ kept: notes[0] }).context)).toMatchObject({
      text: "printed",
    });
    expect(server.methods().filter((method) => method === "tools/call")).toHaveLength(1);
  });

  test("is not asked for at another server that has its name now", async () => {
    const { settings, pins, tool } = await begin(WORKING);
    const { notes, context } = kept();
    void Promise.resolve(tool("s__print").run({}, context)).catch(() => {});
    await expect.poll(() => notes.length).toBe(1);
    const other = await new TaskServer().start(bench);
    other.states = [completed("not its own")];
    const servers = [{ ...settings.servers[0], url: other.url, pinning: "off" }];
    const second = await bench.open({ servers }, pins);
    await second.ready("s");
    const outcome = second.tool("s__print").reattach?.({}, kept({ kept: notes[0] }).context);
    expect(await errorOf(outcome)).toBeInstanceOf(OutcomeUnknownError);
    expect(other.methods()).toEqual([]);
  });

  test("is waited for while the server is away, and given up where it knows nothing of it any more", async () => {
    const { server, tool, turning } = await begin("gone", "error", WORKING, completed("after all"));
    expect(await turning(tool("s__print").run({}, kept().context))).toMatchObject({ text: "after all" });
    server.states = ["unknown"];
    expect(await errorOf(turning(tool("s__print").run({}, kept().context)))).toBeInstanceOf(OutcomeUnknownError);
    const error = await errorOf(turning(tool("s__count").run({}, kept().context)));
    expect(error.message).toBe("s: it does not know its task any more");
    expect(server.methods().filter((method) => method === "tools/call")).toHaveLength(3);
  });

  test("that failed or was canceled by the server is an error, and one that cannot be read is unknown", async () => {
    const failed = { ...WORKING, status: "failed", error: { code: -32_603, message: "out of paper" } };
    const { server, tool, turning } = await begin(failed);
    const run = () => errorOf(turning(tool("s__print").run({}, kept().context)));
    expect((await run()).message).toBe("s: out of paper");
    server.states = [{ ...WORKING, status: "cancelled", statusMessage: "the printer is sold" }];
    expect((await run()).message).toBe("s: it cancelled its task: the printer is sold");
    for (const unreadable of [{ ...WORKING, status: "sleeping" }, { ...WORKING, status: "completed" }, {}]) {
      server.states = [unreadable];
      expect(await run()).toBeInstanceOf(OutcomeUnknownError);
    }
    server.created = { ...WORKING, taskId: 7 };
    expect(await run()).toBeInstanceOf(OutcomeUnknownError);
  });

  test("is canceled on the server once its time is over", async () => {
    const { server, save, settings, tool, turning } = await begin(WORKING);
    save({ ...settings, call_timeout_seconds: 5 });
    const error = await errorOf(turning(tool("s__print").run({}, kept().context)));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    await expect.poll(() => server.methods().at(-1)).toBe("tasks/cancel");
  });

  test("is canceled once its turn has ended without it, also after a restart", async () => {
    const { server, servers, tool } = await begin(WORKING);
    const { notes, context } = kept();
    void Promise.resolve(tool("s__print").run({}, context)).catch(() => {});
    await expect.poll(() => notes.length).toBe(1);
    await bench.store().commit({
      label: "test.call",
      statements: [
        {
          sql: `INSERT INTO call (id, class, context, task, name, args, digest, outcome, note, started_at)
VALUES ('c', 'operator', 's', 'task-1', 's__print', '{}', 'd', 'unknown', ?, 1)`,
          args: [JSON.stringify(notes[0])],
        },
      ],
    });
    await servers.endTask("task-1", true);
    await servers.endTask("another", false);
    await servers.endTask("task-1", false);
    await expect.poll(() => server.methods()).toEqual(["tools/call", "tasks/cancel"]);
  });
});

describe("a question of a task", () => {
  const accepted = { kind: "form", values: { ok: true } } as const;

  test("is answered to the task, which is not asked twice, and goes on", async () => {
    const { server, tool, turning } = await begin(asking("paper", "ink"));
    const first = kept();
    expect(await turning(tool("s__print").run({}, first.context))).toMatchObject({
      request: { kind: "form", description: "paper?" },
    });
    const second = kept({ kept: first.notes.at(-1) });
    expect(await tool("s__print").resume?.({}, accepted, second.context)).toMatchObject({
      request: { description: "ink?" },
    });
    expect(server.methods()).not.toContain("tasks/update");
    // It shows the same questions for a while.
    server.states = [asking("paper", "ink"), asking("ink", "size")];
    const third = kept({ kept: second.notes.at(-1) });
    expect(await turning(tool("s__print").resume?.({}, { kind: "form", declined: true }, third.context))).toMatchObject(
      { request: { description: "size?" } },
    );
    const answers = server.requests.filter(({ method }) => method === "tasks/update");
    expect(answers.map(({ params }) => params?.inputResponses)).toEqual([
      { paper: { action: "accept", content: { ok: true } }, ink: { action: "decline" } },
    ]);
    server.states = [completed("printed")];
    const last = kept({ kept: third.notes.at(-1) });
    expect(await turning(tool("s__print").resume?.({}, accepted, last.context))).toMatchObject({ text: "printed" });
    expect(server.methods().filter((method) => method === "tools/call")).toHaveLength(1);
  });

  test("is asked again where the server refuses the answer", async () => {
    const { server, tool, turning } = await begin(asking("paper"));
    const { notes, context } = kept();
    await turning(tool("s__print").run({}, context));
    server.refuses = true;
    const again = kept({ kept: notes.at(-1) });
    expect(await turning(tool("s__print").resume?.({}, accepted, again.context))).toMatchObject({
      request: { description: "paper?" },
    });
    server.refuses = false;
    server.states = [asking("paper"), completed("printed")];
    const last = kept({ kept: again.notes.at(-1) });
    expect(await turning(tool("s__print").resume?.({}, accepted, last.context))).toMatchObject({ text: "printed" });
  });

  test("is asked again after a crash, and one that nobody can be asked ends the task", async () => {
    const { server, tool, turning } = await begin(asking("paper"));
    const { notes, context } = kept();
    await turning(tool("s__print").run({}, context));
    expect(await tool("s__print").reattach?.({}, kept({ kept: notes.at(-1) }).context)).toMatchObject({ type: "park" });
    server.states = [{ ...asking(), inputRequests: { a: { method: "sampling/createMessage", params: {} } } }];
    expect(await errorOf(turning(tool("s__print").run({}, kept().context)))).toBeInstanceOf(OutcomeUnknownError);
    await expect.poll(() => server.methods().at(-1)).toBe("tasks/cancel");
  });

  test("is cancelled where nobody follows the turn, and where the settings let the server ask nobody", async () => {
    const { server, save, settings, tool, turning } = await begin(asking("paper"), completed("printed"));
    await turning(tool("s__print").run({}, kept({ caller: { unattended: true } }).context));
    expect(server.requests.find(({ method }) => method === "tasks/update")?.params?.inputResponses).toEqual({
      paper: { action: "cancel" },
    });
    save({ servers: [{ ...settings.servers[0], elicitation: false }] });
    server.states = [asking("paper"), completed("printed")];
    expect(await turning(tool("s__print").run({}, kept().context))).toMatchObject({ text: "printed" });
  });
});
