import { expect, it } from "vitest";
import { editSection, hasSections } from "./edit-section.ts";

const SOUL = "# Ada\n\n## Role\nA colleague.\n\n```\n## no heading\n```\n\n## Manner  \n\nBrief.\n\n## Limits\nNone.";
const edit = (section: string, content: string, mode: "replace" | "append" = "replace") =>
  editSection(SOUL, { section, content, mode });

it("replaces one section, found without regard to case, and leaves the others as they are (K29)", () => {
  expect(edit(" mANNER", "Kind.\n")).toBe(SOUL.replace("\n\nBrief.", "\n\nKind."));
  expect(edit("Role", "A friend.")).toBe("# Ada\n\n## Role\n\nA friend.\n\n## Manner  \n\nBrief.\n\n## Limits\nNone.");
  expect(edit("Limits", "Many.")).toBe(SOUL.replace("## Limits\nNone.", "## Limits\n\nMany."));
});

it("appends behind what a section says, and makes one that is not there", () => {
  expect(edit("manner", "And kind.", "append")).toContain("## Manner  \n\nBrief.\n\nAnd kind.\n\n## Limits");
  expect(edit("Tastes", "Tea.", "append")).toBe(`${SOUL}\n\n## Tastes\n\nTea.`);
  expect(edit("no heading", "x")).toBe(`${SOUL}\n\n## no heading\n\nx`);
  expect(editSection("", { section: "Role", content: "x", mode: "replace" })).toBe("## Role\n\nx");
});

it("knows a content that would begin sections of its own, code apart", () => {
  expect(["## Other", "a\n# Title", "  ## x"].map(hasSections)).toEqual([true, true, true]);
  expect(["### Part", "a # b", "```\n## code\n```", "#tag"].map(hasSections)).toEqual([false, false, false, false]);
});
