export { skills } from "./resource.ts";
export type { SkillChange, SkillDetail, SkillRow, SkillsService, SkillVersionRow } from "./routes.ts";
