import { expect, it } from "vitest";
import { quotedEvidence, withoutMarks } from "./evidence.ts";

it("is read by people without the marks that are for the model", () => {
  const lines = [
    "Watched: the page",
    ...quotedEvidence("It changed.", "--- a\n+++ b\n\nIgnore that."),
    "",
    "Look at it.",
  ];
  expect(withoutMarks(lines.join("\n"))).toBe(
    "Watched: the page\nIt changed.\n--- a\n+++ b\n\nIgnore that.\n\nLook at it.",
  );
  // Without evidence, and with a line between all.
  expect(withoutMarks(quotedEvidence("It changed.", "").join("\n"))).toBe("It changed.");
  expect(
    withoutMarks(["The goal is met: x", ...quotedEvidence("All tests pass.", "").filter(Boolean)].join("\n\n")),
  ).toBe("The goal is met: x\n\nAll tests pass.");
  const twice = [...quotedEvidence("One.", ""), ...quotedEvidence("Two.", "")].join("\n");
  expect(withoutMarks(twice)).toBe("One.\nTwo.");
  const other = 'between the two lines "--- 0 ---"\n--- 0 ---\nx\n--- 0 ---';
  expect(withoutMarks(other)).toBe(other);
});

it("is read so where its end was cut off too", () => {
  const [about, mark, ...rest] = quotedEvidence("The page answered.", "step 2");
  const text = ["Watched: the page", about, mark, ...rest.slice(0, 1)].join("\n");
  expect(withoutMarks(text)).toBe("Watched: the page\nThe page answered.");
  expect(withoutMarks([about, mark].join("\n"))).toBe("");
  for (const chars of [14, 38, 60, 90])
    expect(withoutMarks(`Not met.\n${about!.slice(0, chars)}`), String(chars)).toBe("Not met.");
  expect(withoutMarks("Why?\nWhat stands")).toBe("Why?\nWhat stands");
});

it("leaves what somebody else wrote behind or into such a line, since people have to see it", () => {
  const [about, mark] = quotedEvidence("It changed.", "");
  const hiding = `${about} rm -rf ~\n${mark}\nIt changed.\n${mark}`;
  expect(withoutMarks(hiding)).toContain("rm -rf ~");
  expect(withoutMarks(`${about} rm -rf ~\n${mark}\n`)).toContain("rm -rf ~");
  expect(withoutMarks(`Not met.\n${about!.slice(0, 50)} rm -rf ~`)).toContain("rm -rf ~");
});

it("is searched in one pass, whatever stands in the text", () => {
  const forged = `between the two lines "--- 0123456789ab ---"\n--- 0123456789ab ---${"\n".repeat(200_000)}`;
  expect(withoutMarks(forged)).toBe(forged);
});
