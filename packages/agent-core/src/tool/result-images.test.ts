import { park, toolResult } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, call, coreBench, countedTool } from "../core-bench.ts";
import type { ModelMessage } from "../model/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { MOST_IMAGES } from "./result-images.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const PNG = Buffer.from("89504e470d0a1a0a00000000", "hex");
const image = { kind: "image", mediaType: "image/png", data: PNG.toString("base64") };
const shot = countedTool("shot", {
  run: () => toolResult({ text: "a picture", images: [{ mimeType: "image/jpeg", data: PNG }] }),
}).tool;

/** Makes these calls and answers with their results. */
const caller = (...calls: ReturnType<typeof call>[]) =>
  scriptedModel(({ messages }) => {
    const turn = messages.slice(messages.findLastIndex(({ role }) => role === "assistant"));
    const read = turn.flatMap((message) => (message.role === "tool" ? [message.text] : []));
    return read.length > 0 ? read.join(" | ") : calls;
  });

const shape = (messages: readonly ModelMessage[] = []) =>
  messages.map((message) =>
    message.role === "user" ? message.content.map(({ kind }) => kind).join("+") : message.role,
  );

test("images of a result follow it, and later turns of another process are shown them", async () => {
  const store = bench.newStore();
  const model = caller(call("shot"));
  const options = { store, model, tools: [shot] };
  const core = await bench.start(options);
  await (await core.tasks.start({ context: "c", text: "go" })).settled();
  const first = model.calls[1]?.request.messages;
  expect(shape(first)).toEqual(["text", "assistant", "tool", "text+image"]);
  expect(first?.at(-1)).toMatchObject({ content: [{ text: expect.stringContaining("shot") }, image] });
  await bench.crash(core);
  const again = await bench.start(options);
  await (await again.tasks.start({ context: "c", text: "go" })).settled();
  const later = model.calls.at(-1)?.request.messages;
  expect(later?.slice(0, 4)).toEqual(first);
  expect(shape(later?.slice(4))).toEqual(["assistant", "text", "assistant", "tool", "text+image"]);
});

test("no more images than a result may have reach the model", async () => {
  const images = Array.from({ length: MOST_IMAGES + 1 }, () => ({ mimeType: "image/png", data: PNG }));
  const { tool } = countedTool("shots", { run: () => toolResult({ text: "many", images }) });
  const model = caller(call("shots"));
  const core = await bench.start({ model, tools: [tool] });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  expect(shape(model.calls[1]?.request.messages).at(-1)).toBe(`text${"+image".repeat(MOST_IMAGES)}`);
  expect(answerText(task)).toContain("1 more of the images were not shown");
});

test("images of a batch that waits for a person outlive the process", async () => {
  const store = bench.newStore();
  const model = caller(call("shot"), call("ask"));
  const asks = countedTool("ask", { run: () => park.question("Which?"), resume: () => "this one" });
  const options = { store, model, tools: [shot, asks.tool] };
  const core = await bench.start(options);
  const { id } = await core.tasks.start({ text: "go" });
  await (await core.tasks.get(id))!.settled();
  await bench.crash(core);
  const again = await bench.start(options);
  await again.tasks.answer(id, { answer: "this" });
  const task = (await again.tasks.get(id))!;
  await task.settled();
  expect(answerText(task)).toBe("a picture | this one");
  expect(shape(model.calls.at(-1)?.request.messages)).toEqual(["text", "assistant", "tool", "tool", "text+image"]);
  expect(asks.runs).toHaveLength(1);
});
