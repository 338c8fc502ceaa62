import { expect, test } from "vitest";
import { isComplete, splitValues } from "./input-fields.tsx";

const inputs = [
  { key: "TOKEN", label: "Token", secret: true, required: true },
  { key: "FOLDER", label: "Folder", secret: false, required: false },
];

test("secrets are sent apart from other values, and what is blank is not sent", () => {
  expect(splitValues(inputs, { TOKEN: "t", FOLDER: "/srv" })).toEqual({
    inputs: { FOLDER: "/srv" },
    secrets: { TOKEN: "t" },
  });
  expect(splitValues(inputs, { TOKEN: " " })).toEqual({ inputs: {}, secrets: {} });
});

test("a value that is needed is there once it holds more than blanks", () => {
  expect([isComplete(inputs, { TOKEN: " " }), isComplete(inputs, { TOKEN: "t" })]).toEqual([false, true]);
});
