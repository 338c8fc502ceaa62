import type { InspectedTask, TaskView } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { type DiagnosticsService, diagnosticsRoutes } from "./routes.ts";

const service: DiagnosticsService = {
  logs: (lines) => ({
    records: Array.from({ length: Math.min(lines, 3) }, (_, at) => ({
      time: "t",
      level: "INFO",
      msg: `line ${at}`,
      at,
    })),
    cut: lines === 1_000,
  }),
  task: async () => undefined,
  redacted: (value) => value,
};

it("clamps the number of lines, with a note (B47)", async () => {
  const ask = askRoutes(diagnosticsRoutes(service));
  const logs = async (query: string) => (await ask("GET", `/api/diagnostics/logs${query}`)).body as { note?: string };
  const first = { time: "t", level: "INFO", message: "line 0", fields: { at: 0 } };
  expect(await logs("?lines=1")).toEqual({ enabled: true, entries: [first] });
  expect((await logs("")).note).toBeUndefined();
  for (const lines of ["0", "-5"]) expect((await logs(`?lines=${lines}`)).note).toContain("adjusted to 1");
  for (const lines of ["1001", "9".repeat(40)]) {
    expect(await logs(`?lines=${lines}`)).toMatchObject({
      note: expect.stringContaining("adjusted to 1000"),
      truncated: [expect.stringContaining("newest 3")],
    });
  }
  expect((await ask("GET", "/api/diagnostics/logs?lines=all")).status).toBe(422);
});

it("notes that no lines are kept", async () => {
  const ask = askRoutes(diagnosticsRoutes({ ...service, logs: () => undefined }));
  expect((await ask("GET", "/api/diagnostics/logs")).body).toEqual({ enabled: false, entries: [] });
});

it("returns a task within bounds, and what was cut or cannot be read", async () => {
  const text = (length: number) => [{ kind: "text" as const, text: "x".repeat(length) }];
  const message = { from: "caller" as const, message: { messageId: "m", parts: text(3) } };
  const view = {
    ...{ history: Array(101).fill(message), answer: text(20_000), components: [], prompts: [], text: "so far" },
    ...{ failure: undefined, note: "cut" },
  };
  const task: InspectedTask = {
    ...{ id: "t", class: "operator", context: "c", origin: "a2a", state: "parked", seq: 9, createdAt: 0, updatedAt: 1 },
    ...{ view: view as unknown as TaskView, malformed: ["event 3: it is not JSON"], complete: false },
  };
  const ask = askRoutes(diagnosticsRoutes({ ...service, task: async (id) => (id === "t" ? task : undefined) }));
  const { status, body } = await ask("GET", "/api/diagnostics/tasks/t");
  expect([status, body]).toMatchObject([
    200,
    { state: "input-required", status_message: "cut", accumulated_text: "so far", malformed: task.malformed },
  ]);
  expect((body as { truncated: string[] }).truncated).toEqual([
    "events: the oldest ones are returned",
    "history: the newest 100 of 101 are returned",
    "artifacts[0]: the first 16000 of 20000 characters are returned",
  ]);
  expect((await ask("GET", "/api/diagnostics/tasks/x")).status).toBe(404);
});
