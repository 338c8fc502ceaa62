import { expect, test } from "vitest";
import type { Step } from "./live-turn.ts";
import { underParents } from "./under-parents.ts";

const tool = (id: string, parent?: string): Step => ({
  ...{ kind: "tool", id, name: id, outcome: "ok", startedAt: 0 },
  ...(parent !== undefined && { parent }),
});
const idsOf = (steps: readonly Step[]) => underParents(steps).map(({ id }) => id);

test("calls that a call made stand behind it, whatever came between", () => {
  const steps = [tool("script"), tool("a", "script"), tool("beside"), tool("b", "script"), tool("c", "beside")];
  expect(idsOf(steps)).toEqual(["script", "a", "b", "beside", "c"]);
});

test("steps without such calls stay as they are, and so does a call whose parent is not shown", () => {
  const steps = [tool("a"), tool("b")];
  expect(underParents(steps)).toBe(steps);
  expect(idsOf([tool("a", "gone"), tool("b")])).toEqual(["a", "b"]);
});
