/** `examples/mcp-server` over our client and our transport, in both eras. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../clock/index.ts";
import { type Database, openDatabase } from "../../database/index.ts";
import { Processes } from "../../process/index.ts";
import { openConnection, type ServerConnection, taskOf } from "../connection/index.ts";
import { ProgramTransport } from "./index.ts";

/** Only a hang reaches it. */
const PATIENCE = { timeout: 60_000 };
const example = new URL("../../../../../examples/mcp-server/", import.meta.url).pathname;

let db: Database;
let processes: Processes;
let folder: string;
let connections: readonly ServerConnection[];
let changes = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "example-"));
  db = await openDatabase({ url: `file:${join(folder, "store.db")}`, owner: { name: "test" } });
  const newId = () => crypto.randomUUID();
  processes = new Processes({ db, clock: systemClock(), log: { warn() {}, debug() {} }, newId, graceMs: 300 });
  await writeFile(join(folder, "descriptions.json"), await readFile(join(example, "descriptions.json")));
  connections = await Promise.all([connect(false), connect(true)]);
});

afterAll(async () => {
  await Promise.all(connections.map((one) => one.close()));
  expect(processes.running).toBe(0);
  await db.close();
});

function connect(isKnownLegacy: boolean): Promise<ServerConnection> {
  const files = ["--descriptions", join(folder, "descriptions.json"), "--letters", join(folder, "letters")];
  const env = { PATH: process.env.PATH ?? "" };
  const args = [join(example, "main.ts"), ...files];
  return openConnection({
    ...{ server: "example", target: { transport: "stdio", command: process.execPath, args, env, cwd: folder } },
    source: {
      egressFor: () => expect.fail("a program needs no network"),
      stdio: (server, target, events) => new ProgramTransport({ processes, server, target, events }),
    },
    ...{ timeoutMs: 60_000, signal: new AbortController().signal, version: "1", elicitation: true, isKnownLegacy },
    redact: (text) => text,
    onLog() {},
    onClosed() {},
    onListChanged: () => void changes++,
    onElicitation: () => Promise.resolve({ action: "accept", content: { people: 4 } }),
  });
}

function call(connection: ServerConnection, name: string, args: Record<string, string | number>, more: object = {}) {
  const { signal } = new AbortController();
  return connection.callTool({ name, args, inputSchema: { type: "object" }, signal, ...more });
}

const said = (text: string) => ({ content: [{ type: "text", text }] });

it("speaks both eras, and has a tool for each thing that a client deals with", async () => {
  expect(connections.map(({ era }) => era)).toEqual(["2026", "2025"]);
  const progress: (string | undefined)[] = [];
  const onProgress = (text: string | undefined): void => void progress.push(text);
  for (const [index, connection] of connections.entries()) {
    expect(await call(connection, "add", { a: 2, b: 3 })).toMatchObject(said("5"));
    expect(await call(connection, "set_note", { name: "a", text: "b" })).toMatchObject(said("kept a"));
    expect(await call(connection, "post_letter", { to: "Ada" })).toMatchObject(said(`posted; ${index + 1} so far`));
    expect(await call(connection, "count_slowly", { to: 2 }, { onProgress })).toMatchObject(said("counted to 2"));
    const square = await call(connection, "draw_square", { colour: "00ff00" });
    expect(square).toMatchObject({ content: [{ type: "image", mimeType: "image/png" }] });
  }
  // The SDK drops progress that comes in one piece with the result.
  expect(progress.filter((text) => text === "counted to 1")).toHaveLength(2);
});

it("asks back: in 2026 by its result, in 2025 while the call waits", async () => {
  const [newer, older] = connections;
  const asked = await call(newer!, "book_table", { restaurant: "Mimi" });
  expect(asked).toMatchObject({ resultType: "input_required", inputRequests: { party: {} } });
  const answer = (inputResponses: object) => call(newer!, "book_table", { restaurant: "Mimi" }, { inputResponses });
  const party = { action: "accept", content: { people: 3 } };
  expect(await answer({ party })).toMatchObject(said("a table for 3 at Mimi"));
  expect(await answer({ party: { action: "decline" } })).toMatchObject(said("no table was booked"));
  expect(await call(older!, "book_table", { restaurant: "Mimi" })).toMatchObject(said("a table for 4 at Mimi"));
});

it("makes a task of a long call, which is asked for and can be canceled", async () => {
  const [newer, older] = connections;
  const task = taskOf(await call(newer!, "print_pages", { pages: 600 }));
  expect(task).toMatchObject({ status: "working", pollIntervalMs: 1_000 });
  const options = { signal: new AbortController().signal, timeoutMs: 60_000 };
  const about = (method: string, taskId = task?.taskId as string) => newer!.request(method, { taskId }, options);
  expect(await about("tasks/get")).toMatchObject({ status: "working", statusMessage: "0 of 600 pages" });
  await about("tasks/cancel");
  expect(await about("tasks/get")).toMatchObject({ status: "cancelled" });
  await expect(about("tasks/get", "another")).rejects.toMatchObject({ rpcCode: -32_602 });
  expect(await call(older!, "print_pages", { pages: 1 })).toMatchObject({ isError: true });
});

it("says that its list changed when its descriptions are edited", async () => {
  const file = join(folder, "descriptions.json");
  await writeFile(file, (await readFile(file, "utf8")).replace("Adds two numbers.", "Adds."));
  await expect.poll(() => changes, PATIENCE).toBeGreaterThanOrEqual(2);
  const { signal } = new AbortController();
  for (const connection of connections) {
    expect((await connection.list("tools", signal)).slice(0, 1)).toMatchObject([{ name: "add", description: "Adds." }]);
  }
});
