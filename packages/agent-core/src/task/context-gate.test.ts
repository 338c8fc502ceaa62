import { expect, test } from "vitest";
import type { TurnDeps } from "../turn/index.ts";
import { ContextGate } from "./context-gate.ts";
import { contextKey } from "./queue-entry.ts";
import type { TurnQueue } from "./turn-queue.ts";

const of = (context: string, callerClass = "operator") => ({ class: callerClass, context });

test("a context is shut from shut to reopen, and no other with it, not even of that name in another class", () => {
  const gate = new ContextGate({ deps: {} as TurnDeps, queue: {} as TurnQueue, onFree: () => {} });
  const shut = () => [of("a"), of("b"), of("a", "federation")].filter((context) => gate.isShut(contextKey(context)));
  expect(shut()).toEqual([]);
  gate.shut(of("a"));
  expect(shut()).toEqual([of("a")]);
  expect(() => gate.assertOpen(contextKey(of("a")))).toThrow(
    expect.objectContaining({ code: "overloaded", message: "this session is being deleted" }),
  );
  gate.assertOpen(contextKey(of("b")));
  gate.shut(of("b"));
  gate.reopen(of("a"));
  expect(shut()).toEqual([of("b")]);
  gate.assertOpen(contextKey(of("a")));
});
