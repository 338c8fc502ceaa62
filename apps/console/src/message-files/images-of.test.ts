import { expect, test } from "vitest";
import { imagesOf } from "./images-of.ts";

const call = (name: string, ...ids: readonly string[]) => ({
  ...{ call_id: name, name, args: null, title: null, outcome: "ok", duration_ms: 1, approval_skipped: null },
  images: ids.map((id) => ({ id, media_type: "image/png", size: 7 })),
});

test("images are named after their calls, with numbers where a call brought several, and read from the turn", () => {
  const { images: _, ...without } = call("count");
  const found = imagesOf("s", { task_id: "t", tool_calls: [call("draw", "a"), without, call("film", "b", "c")] });
  expect(found.map(({ name, content }) => [name, content])).toEqual([
    ["Image of draw", { kind: "stored", session: "s", task: "t", id: "a" }],
    ["Image 1 of film", { kind: "stored", session: "s", task: "t", id: "b" }],
    ["Image 2 of film", { kind: "stored", session: "s", task: "t", id: "c" }],
  ]);
  expect(found[0]).toMatchObject({ mediaType: "image/png", size: 7 });
});
