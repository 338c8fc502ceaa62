import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { OutOfSight } from "./out-of-sight.tsx";

const textOf = (messages: number, summarised: boolean): string =>
  renderToStaticMarkup(<OutOfSight messages={messages} summarised={summarised} />).replaceAll(/<[^>]*>/g, "");

test("a chat shows how many messages the model no longer sees, and whether a summary replaces them", () => {
  expect(textOf(1_250, true)).toMatch(
    /^The model no longer sees the 1[,.\s]?250 oldest messages of this chat and works with a summary/,
  );
  expect(textOf(2, false)).toContain("the 2 oldest messages of this chat. There is no summary");
  expect(textOf(1, false)).toContain("the oldest message of this chat. There is");
});

test("a chat of which the model sees everything shows no note", () => {
  expect(textOf(0, false)).toBe("");
});
