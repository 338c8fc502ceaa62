export { skills } from "./feature.ts";
export type { ReadYaml } from "./parse-skill.ts";
export type { Skill, SkillEntry, SkillOrigin } from "./skill.ts";
export { SkillError, type SkillErrorCode } from "./skill-error.ts";
export { SkillLibrary } from "./skill-library.ts";
export { skillsSection } from "./skills-section.ts";
