import { defineResource } from "../resource/index.ts";
import {
  addSkill,
  editSkill,
  listSkills,
  listSkillVersions,
  promoteSkill,
  readSkill,
  removeSkill,
  restoreSkill,
  skillsRoutes,
} from "./routes.ts";

/** Skills: instructions for kinds of work. */
export const skills = defineResource({
  name: "skills",
  feature: "skills",
  definitions: [listSkills, addSkill, readSkill, editSkill, removeSkill, listSkillVersions, restoreSkill, promoteSkill],
  topics: [
    {
      topic: "skill.changed",
      when: "A skill was added, changed or removed, also by hand",
      data: "`name`, `action` (`added`, `changed`, `removed`)",
    },
  ],
  routes: skillsRoutes,
});
