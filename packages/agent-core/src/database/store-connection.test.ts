import { afterEach, expect, test } from "vitest";
import { StoreConnection } from "./store-connection.ts";

const opened: StoreConnection[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

/** A connection over three rows with texts of ten characters. */
function store(): StoreConnection {
  const connection = new StoreConnection({ path: ":memory:", synchronous: "full", maxBytes: undefined });
  opened.push(connection);
  connection.script("CREATE TABLE n (i INTEGER, t TEXT)");
  for (const i of [1, 2, 3]) connection.execute("INSERT INTO n VALUES (?, ?)", [i, "x".repeat(10)]);
  connection.learn(["SELECT i, t FROM n ORDER BY i", "DELETE FROM n"], true);
  return connection;
}

test("a read of more rows or of more bytes than its bounds is refused, either by itself (EN10)", () => {
  const connection = store();
  expect(connection.select(0, [], { rows: 3, bytes: 10_000 })).toHaveLength(3);
  const refused = expect.objectContaining({ code: "misuse" });
  expect(() => connection.select(0, [], { rows: 2, bytes: 10_000 })).toThrow(refused);
  expect(() => connection.select(0, [], { rows: 100, bytes: 25 })).toThrow(refused);
  // The statement it left is no obstacle to a change (CO3).
  expect(connection.change(1, [])).toBe(3);
  expect(connection.select(0, [], { rows: 0, bytes: 0 })).toEqual([]);
});

test("a command's statement must not return rows", () => {
  expect(() => store().change(0, [])).toThrow(expect.objectContaining({ code: "misuse" }));
});
