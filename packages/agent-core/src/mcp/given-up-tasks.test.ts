/** Tasks of servers whose calls were given up by a process that was killed before it had canceled them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { kept, serversBench } from "../mcp-servers-bench.ts";
import { beginTaskServer, WORKING } from "../mcp-task-server-bench.ts";
import { DefinitionPins } from "./index.ts";

const bench = serversBench();
beforeEach(() => bench.begin());
afterEach(() => bench.end());

const begin = async () => beginTaskServer(bench, await DefinitionPins.open(bench.store()), WORKING);

const store = (id: string, outcome: string | null, note: unknown) =>
  bench.store().commit({
    label: "test.call",
    statements: [
      {
        sql: `INSERT INTO call (id, class, context, task, name, args, digest, outcome, note, started_at)
VALUES (?, 'operator', 's', 'task-1', 's__print', '{}', 'd', ?, ?, 1)`,
        args: [id, outcome, JSON.stringify(note)],
      },
    ],
  });

async function notes(): Promise<readonly unknown[]> {
  const rows = await bench.store().read({ sql: "SELECT id FROM call WHERE note IS NOT NULL ORDER BY id", args: [] });
  return rows.map(([id]) => id);
}

test("are canceled after the next start, once, and those of calls that go on are not (M7)", async () => {
  const { server, settings, tool } = await begin();
  const { notes: noted, context } = kept();
  void Promise.resolve(tool("s__print").run({}, context)).catch(() => {});
  await expect.poll(() => noted.length).toBe(1);
  const note = noted[0] as object;
  await store("given-up", "unknown", { ...note, id: "task-given-up" });
  await store("aborted", "aborted", { ...note, id: "task-aborted" });
  await store("open", null, { ...note, id: "task-open" });
  await store("elsewhere", "unknown", { ...note, id: "task-elsewhere", target: "another" });
  const cancelled = () => server.requests.filter(({ method }) => method === "tasks/cancel");

  await (await bench.open(settings)).ready("s");
  await expect
    .poll(() =>
      cancelled()
        .map(({ params }) => String(params?.taskId))
        .toSorted((one, other) => one.localeCompare(other)),
    )
    .toEqual(["task-aborted", "task-given-up"]);
  await expect.poll(notes).toEqual(["elsewhere", "open"]);
  await (await bench.open(settings)).ready("s");
  expect(cancelled()).toHaveLength(2);
});

test("are asked about again after a start at which the server is away", async () => {
  const { server, settings, tool } = await begin();
  const { notes: noted, context } = kept();
  void Promise.resolve(tool("s__print").run({}, context)).catch(() => {});
  await expect.poll(() => noted.length).toBe(1);
  await store("given-up", "unknown", noted[0]);
  server.isAway = true;
  const away = await bench.open(settings);
  await expect.poll(() => away.state("s")).toBe("backoff");
  expect(await notes()).toEqual(["given-up"]);
  server.isAway = false;
  await (await bench.open(settings)).ready("s");
  await expect.poll(notes).toEqual([]);
});
