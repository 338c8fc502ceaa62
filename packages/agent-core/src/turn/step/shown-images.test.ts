import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, call, caller, coreBench, countedTool, eventsOfKind, textInput } from "../../core-bench.ts";
import { type ImageSupport, ModelError } from "../../model/index.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const refusal = new ModelError("bad_request", "gw answered 400: image_url is not supported", { status: 400 });
const withImage = {
  messageId: "m",
  parts: [
    { kind: "text", text: "What is it?" },
    { kind: "file", mediaType: "image/png", bytes: "iVBO" },
  ],
} as const;

/** Runs a turn with an image; the model refuses requests that hold one. */
async function ask(configured: boolean | undefined) {
  let known = configured;
  const images: ImageSupport = {
    taken: () => known,
    refused() {
      known = false;
    },
  };
  const model = scriptedModel((request) =>
    JSON.stringify(request.messages).includes('"kind":"image"') ? [{ fail: refusal }] : "I cannot see it.",
  );
  const core = await bench.start({ model: { model, name: "m", images } });
  const input = { class: "operator", origin: "a2a", input: withImage, context: "c" } as const;
  const task = await core.service.start(input);
  const view = await task.settled();
  return { core, input, model, task, view, known: () => known };
}

test("a model that takes no images is shown notes instead, and the journal records it (R13)", async () => {
  const { core, model, task } = await ask(false);
  expect(answerText(task)).toBe("I cannot see it.");
  expect(model.calls).toHaveLength(1);
  const content = model.calls[0]?.request.messages[0];
  expect(JSON.stringify(content)).toMatch(/What is it\?.*An image \(image\/png\) was sent here.*m takes no images/);
  expect(await eventsOfKind(core, task.id, "guard.noted")).toMatchObject([{ guard: "images" }]);
});

test("a turn records it once, and one without images not at all", async () => {
  const images: ImageSupport = { taken: () => false, refused: () => {} };
  const { tool } = countedTool("count");
  const core = await bench.start({ model: { model: caller([call("count")]), name: "m", images }, tools: [tool] });
  const noted: number[] = [];
  for (const input of [textInput("hello"), withImage]) {
    const task = await core.service.start({ class: "operator", origin: "a2a", input });
    await task.settled();
    expect(answerText(task)).toBe("count done");
    noted.push((await eventsOfKind(core, task.id, "guard.noted")).length);
  }
  expect(noted).toEqual([0, 1]);
});

test("where it is not known, images are sent; after a refusal the call is repeated without them, and that is remembered", async () => {
  const { core, input, model, view, known } = await ask(undefined);
  expect([view.state, model.calls.length, known()]).toEqual(["completed", 2, false]);
  await (await core.service.start(input)).settled();
  expect(model.calls).toHaveLength(3);
});

test("the refusal of a model configured to take images fails the turn", async () => {
  const { model, view } = await ask(true);
  expect([view.failure?.code, model.calls.length]).toEqual(["model_bad_request", 1]);
});
