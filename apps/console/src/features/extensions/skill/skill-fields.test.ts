import { expect, it } from "vitest";
import { bodyOf, draftOf, EMPTY_SKILL } from "./skill-fields.tsx";
import type { SkillDetail } from "./skill-types.ts";

const detail = {
  ...{ name: "tea", description: "Makes tea.", prompt_template: "Boil.", user_facing: true, user_only: false },
} as SkillDetail;

it("begins from what there is, and sends what was written", () => {
  expect(draftOf({ ...detail, slash: "brew" })).toEqual({
    ...{ description: "Makes tea.", body: "Boil.", isCommand: true, slash: "brew", isUserOnly: false },
  });
  expect(draftOf({ ...detail, slash: "tea" }).slash).toBe("");
  expect(bodyOf({ ...EMPTY_SKILL, description: " Tea. ", body: "x", isCommand: true, slash: " /brew " })).toEqual({
    ...{ description: "Tea.", prompt_template: "x", user_facing: true, user_only: false, slash: "brew" },
  });
  expect(bodyOf({ ...EMPTY_SKILL, slash: "brew" }).slash).toBe("");
});
