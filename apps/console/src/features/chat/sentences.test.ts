import fc from "fast-check";
import { expect, test } from "vitest";
import { sentencesFrom } from "./sentences.ts";

test("only whole sentences are spoken, and the rest at the end", () => {
  expect(sentencesFrom("It is 3.5 m. Then", 0, false)).toEqual({ spoken: "It is 3.5 m.", next: 13 });
  expect(sentencesFrom("It is 3.5 m. Then", 13, true)).toEqual({ spoken: "Then", next: 17 });
  expect(sentencesFrom("No end", 0, false)).toEqual({ spoken: "", next: 0 });
});

test("however a text comes, all of it is spoken once and in order", () => {
  const pieces = fc.array(fc.constantFrom("word ", "end. ", "line\n", "3.5 ", "?! "), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, (parts) => {
      let text = "";
      let next = 0;
      const spoken: string[] = [];
      for (const part of [...parts, ""]) {
        text += part;
        const cut = sentencesFrom(text, next, part === "");
        spoken.push(cut.spoken);
        next = cut.next;
      }
      expect(spoken.join(" ").split(/\s+/).join(" ").trim()).toBe(text.split(/\s+/).join(" ").trim());
    }),
  );
});
