import type { Skill, SkillVersion } from "./skill-types.ts";

const ORIGINS: { readonly [Origin in Skill["origin"]]: string } = {
  user: "Yours",
  learned: "Saved by the agent",
  bundled: "Comes with the service",
  commons: "Shared on this machine",
};

/** Where a skill comes from, in a word or a few. */
export function originLabel(origin: Skill["origin"]): string {
  return ORIGINS[origin];
}

/** What else to know of a skill, in one line. */
export function skillFacts({ origin, slash, user_only: isUserOnly, uses }: Skill): string {
  return [
    originLabel(origin),
    slash !== "" && `/${slash}`,
    isUserOnly && "begun by you alone",
    uses > 0 && (uses === 1 ? "used once" : `used ${uses} times`),
  ]
    .filter(Boolean)
    .join(" · ");
}

const AUTHORS: { readonly [Author in SkillVersion["author"]]: string } = {
  operator: "Changed here",
  agent: "Changed by the agent",
  hand: "Changed in the file",
};

/** Who made a version. */
export function authorLabel({ author, chars }: Pick<SkillVersion, "author" | "chars">): string {
  return chars === null ? AUTHORS[author].replace("Changed", "Deleted") : AUTHORS[author];
}

/** Why a text is no name of a skill; undefined: it is one, or is not written yet. */
export function nameProblem(name: string): string | undefined {
  if (name === "" || (name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))) return undefined;
  return "Small letters, digits and single hyphens, at most 64.";
}
