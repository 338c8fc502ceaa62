import { expect, it } from "vitest";
import { skillFindings } from "./check-skills.ts";

it("counts skills, and says of each that is broken what is wrong with it", () => {
  const tea = { name: "tea", origin: "user", fault: null };
  expect(skillFindings([tea])).toEqual([{ state: "ok", about: "skills", text: "1 skill, 1 of them yours" }]);
  const shipped = { name: "code-review", origin: "bundled", fault: null };
  const bad = { name: "bad", origin: "learned", fault: "description is missing" };
  expect(skillFindings([tea, shipped, bad]).map(({ state, text, remedy = "" }) => [state, text, remedy])).toEqual([
    ["warning", "3 skills, 2 of them yours", ""],
    [...["warning", "bad does nothing: description is missing"], "agent-service skills show bad shows the file"],
  ]);
});
