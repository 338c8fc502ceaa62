export { skills } from "./feature.ts";
export type { ReadYaml } from "./parse-skill.ts";
export type { Skill, SkillEntry, SkillOrigin } from "./skill.ts";
export { SkillError, type SkillErrorCode } from "./skill-error.ts";
export { SkillLibrary } from "./skill-library.ts";
export { type ChangedSkill, type SkillFields, SkillShelf } from "./skill-shelf.ts";
export type { SkillUseCounts } from "./skill-uses.ts";
export { skillsSection } from "./skills-section.ts";
export type { TextVersion, VersionAuthor } from "./text-versions.ts";
