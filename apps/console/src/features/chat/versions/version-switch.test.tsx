import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createMovedTo } from "./moved-to.ts";
import { VersionSwitch } from "./version-switch.tsx";

const versions = ["a", "b", "c"].map((task_id) => ({ task_id, session_id: `of-${task_id}` }));

test.each([
  ["a", "1", [true, false]],
  ["b", "2", [false, false]],
  ["c", "3", [false, true]],
])("version %s says where it stands, and no arrow leads beyond the others", (task, at, disabled) => {
  const html = renderToStaticMarkup(
    <VersionSwitch versions={versions} task={task} moved={createMovedTo()} onShow={() => {}} />,
  );
  expect(html.replaceAll(/<[^>]+>/g, "")).toBe(`Version ${at}/ of 3`);
  expect([...html.matchAll(/<button[^>]*>/g)].map(([button]) => button.includes('disabled=""'))).toEqual(disabled);
});

test("the page that comes next begins at the turn a person went to, once", () => {
  const { moveTo, movedTo, arriveAt } = createMovedTo();
  moveTo("b");
  expect([arriveAt("a"), movedTo()]).toEqual([false, "b"]);
  expect([arriveAt("b"), arriveAt("b"), movedTo()]).toEqual([true, false, undefined]);
});
