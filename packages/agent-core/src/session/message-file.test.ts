/** Images of tools' results, as people are shown them with the turn. */

import { toolResult } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { call, coreBench, countedTool, STANDARD, textInput } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { UnknownFileError } from "./index.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(92)]);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40)]);

test("stand with their call by type and size, and are read in their session's turn alone, also after a restart", async () => {
  const draw = countedTool("draw", {
    run: () =>
      toolResult({
        text: "drawn",
        images: [
          { mimeType: "image/png", data: PNG },
          { mimeType: "image/jpeg", data: JPEG },
          { mimeType: "image/png", data: Buffer.from("<svg/>") },
        ],
      }),
  });
  const model = scriptedModel(({ messages }) =>
    messages.length === 1 ? [call("draw", {}), call("draw", {})] : "done",
  );
  const store = bench.newStore();
  const core = await bench.start({ model, store, tools: [draw.tool], features: STANDARD });
  const options = { class: "operator", origin: "chat", input: textInput("go") } as const;
  const task = await core.service.start({ ...options, context: "s" });
  await task.ended();
  const turnsOf = async (one: typeof core) => (await one.features.sessions.catalog.turns("s", { limit: 5 })).turns;
  const [turn] = await turnsOf(core);
  const images = turn?.toolCalls.map((made) => made.images ?? []) ?? [];
  expect(images.map((list) => list.map(({ mediaType, bytes }) => [mediaType, bytes]))).toEqual(
    [1, 2].map(() => [
      ["image/png", PNG.length],
      ["image/jpeg", JPEG.length],
    ]),
  );
  const ids = images.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  await bench.crash(core);
  const again = await bench.start({ model, store, tools: [draw.tool], features: STANDARD });
  const { catalog } = again.features.sessions;
  const read = (file: string, session = "s", of = task.view.id) => catalog.file({ session, task: of, file });
  const contents = await Promise.all(ids.map((id) => read(id)));
  expect(contents.map(({ mediaType, bytes }) => [mediaType, Buffer.from(bytes)])).toEqual([
    ["image/png", PNG],
    ["image/jpeg", JPEG],
    ["image/png", PNG],
    ["image/jpeg", JPEG],
  ]);
  const [id = ""] = ids;
  const other = await again.service.start({ ...options, context: "other" });
  await other.ended();
  for (const refused of [
    read(id, "other"),
    read(id, "other", other.view.id),
    read(id, "s", other.view.id),
    read(id.replace(/\d$/, "2")),
    read("image.none.0"),
    read("image.%.0"),
  ])
    await expect(refused).rejects.toThrow(UnknownFileError);
});
