import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FrameList } from "./frames.tsx";

test("a stream that broke shows that below its frames, and can be read again", () => {
  const frames = [{ id: "1", data: '{"result":{"task":{}}}' }];
  const shown = (end: { readonly error?: unknown } | undefined, came = frames) =>
    renderToStaticMarkup(<FrameList frames={came} end={end} onRetry={() => {}} />);
  expect(shown(undefined)).toContain("still open");
  expect(shown({})).not.toMatch(/still open|role="alert"/);
  expect(shown({ error: new Error("the stream broke off") })).toMatch(/1 message.*the stream broke off.*Read again/);
  expect(shown({ error: new Error("no such task") }, [])).toMatch(/cannot be read.*no such task.*Try again/);
});
