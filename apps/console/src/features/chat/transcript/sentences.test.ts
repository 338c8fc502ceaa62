import fc from "fast-check";
import { expect, test } from "vitest";
import { sentencesFrom } from "./sentences.ts";

test("only whole sentences are announced, and the rest at the end", () => {
  expect(sentencesFrom("It is 3.5 m. Then", 0, false)).toEqual({ sentences: "It is 3.5 m.", next: 13 });
  expect(sentencesFrom("It is 3.5 m. Then", 13, true)).toEqual({ sentences: "Then", next: 17 });
  expect(sentencesFrom("No end", 0, false)).toEqual({ sentences: "", next: 0 });
});

test("however a text arrives, all of it is announced once and in order", () => {
  const pieces = fc.array(fc.constantFrom("word ", "end. ", "line\n", "3.5 ", "?! "), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, (parts) => {
      let text = "";
      let next = 0;
      const sentences: string[] = [];
      for (const part of [...parts, ""]) {
        text += part;
        const cut = sentencesFrom(text, next, part === "");
        sentences.push(cut.sentences);
        next = cut.next;
      }
      expect(sentences.join(" ").split(/\s+/).join(" ").trim()).toBe(text.split(/\s+/).join(" ").trim());
    }),
  );
});
