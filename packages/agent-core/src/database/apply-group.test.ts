import { afterEach, expect, test } from "vitest";
import { applyGroup } from "./apply-group.ts";
import { DatabaseError } from "./database-error.ts";
import type { Value } from "./database-port.ts";
import { StoreConnection } from "./store-connection.ts";

const opened: StoreConnection[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

const [INSERT, UPDATE, DELETE] = [0, 1, 2];

/** A connection in this thread over a table of numbers. */
function store(maxBytes?: number): StoreConnection {
  const connection = new StoreConnection({ path: ":memory:", synchronous: "full", maxBytes });
  opened.push(connection);
  connection.script("CREATE TABLE n (i INTEGER PRIMARY KEY, t TEXT)");
  connection.learn(
    ["INSERT INTO n VALUES (?, ?)", "UPDATE n SET t = ? WHERE i >= ?", "DELETE FROM n WHERE i = ?"],
    true,
  );
  return connection;
}
/** A command as it travels in a group: whether its first statement is an expectation, and its statements. */
const command = (expects: boolean, ...statements: readonly (readonly [id: number, ...args: Value[]])[]): Value[] => [
  expects ? 1 : 0,
  statements.length,
  ...statements.flatMap(([id, ...args]) => [id, args.length, ...args]),
];
const rows = (connection: StoreConnection) => connection.query("SELECT i, t FROM n ORDER BY i");
const holds = (): void => {};

test("a group is one transaction, and a command whose expectation changes no row is left out of it alone", () => {
  const connection = store();
  const group = [
    ...command(false, [INSERT!, 1, "a"], [INSERT!, 2, "b"]),
    ...command(true, [DELETE!, 9], [INSERT!, 3, "never"]),
    ...command(true, [DELETE!, 2], [INSERT!, 4, "d"]),
  ];
  expect(applyGroup(connection, group, holds)).toEqual([
    { index: 1, code: "expectation_failed", message: expect.any(String) },
  ]);
  expect(rows(connection)).toEqual([
    [1, "a"],
    [4, "d"],
  ]);
});

test("an error refuses the command at fault whole, and the others of the group are durable", () => {
  const connection = store();
  const group = [
    ...command(false, [INSERT!, 1, "a"]),
    ...command(false, [INSERT!, 2, "b"], [INSERT!, 1, "twice"]),
    ...command(true, [DELETE!, 9]),
    ...command(true, [UPDATE!, "all", 0], [INSERT!, 3, "c"]),
    ...command(false, [INSERT!, 4, "d"]),
  ];
  expect(applyGroup(connection, group, holds)).toEqual([
    { index: 1, code: "constraint", message: expect.any(String) },
    { index: 2, code: "expectation_failed", message: expect.any(String) },
  ]);
  expect(rows(connection)).toEqual([
    [1, "all"],
    [3, "c"],
    [4, "d"],
  ]);
});

test("an expectation that changes several rows is not met, and changes none", () => {
  const connection = store();
  applyGroup(connection, command(false, [INSERT!, 1, "a"], [INSERT!, 2, "b"]), holds);
  const group = [...command(true, [UPDATE!, "both", 0]), ...command(false, [INSERT!, 3, "c"])];
  expect(applyGroup(connection, group, holds)).toEqual([
    { index: 0, code: "expectation_failed", message: expect.stringContaining("2 rows") },
  ]);
  expect(rows(connection).map(([, text]) => text)).toEqual(["a", "b", "c"]);
});

test.each(["full", "unwritable", "lease_lost"] as const)(
  "where the store itself refuses (%s), nothing of the group is durable and no command is tried by itself",
  (code) => {
    const connection = store();
    let asked = 0;
    const refuse = (): void => {
      asked++;
      throw new DatabaseError(code, "not now");
    };
    const group = [...command(false, [INSERT!, 1, "a"]), ...command(false, [INSERT!, 2, "b"])];
    expect(() => applyGroup(connection, group, refuse)).toThrow(expect.objectContaining({ code }));
    expect([asked, rows(connection)]).toEqual([1, []]);
    expect(applyGroup(connection, group, holds)).toEqual([]);
  },
);

test("a store at its bound refuses the group as full, and takes a smaller one afterwards", () => {
  const connection = store(64 * 1024);
  const large = [...command(false, [INSERT!, 1, "a"]), ...command(false, [INSERT!, 2, "x".repeat(200_000)])];
  expect(() => applyGroup(connection, large, holds)).toThrow(expect.objectContaining({ code: "full" }));
  expect(rows(connection)).toEqual([]);
  expect(applyGroup(connection, command(false, [INSERT!, 1, "a"]), holds)).toEqual([]);
});
