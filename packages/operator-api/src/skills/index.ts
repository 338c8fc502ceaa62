import { defineResource, emptyList, refused } from "../resource/index.ts";

/** What is published of skills. */
export const skillEvents = defineResource({
  name: "skillEvents",
  topics: [
    {
      topic: "skill.changed",
      when: "A skill was added, changed or removed, also by hand",
      data: "`name`, `action` (`added`, `changed`, `removed`)",
    },
  ],
});

/** Not built: its routes answer as O4 requires. */
export const skills = defineResource({
  name: "skills",
  feature: "skills",
  unbuilt: {
    tag: "Skills",
    routes: [
      ["GET", "/api/playbooks", emptyList({ playbooks: [] })],
      ["POST", "/api/playbooks", refused],
      ["GET", "/api/playbooks/{skill_id}", refused],
      ["PUT", "/api/playbooks/{skill_id}", refused],
      ["DELETE", "/api/playbooks/{skill_id}", refused],
      ["POST", "/api/playbooks/{skill_id}/promote", refused],
    ],
  },
});
