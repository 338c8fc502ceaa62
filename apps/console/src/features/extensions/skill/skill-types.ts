import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

type Answer<TName extends OperatorDefinition["name"]> = AnswerOf<Extract<OperatorDefinition, { readonly name: TName }>>;

/** A skill as the API lists it. */
export type Skill = Answer<"playbooks.list">["playbooks"][number];
/** A skill with its body and files. */
export type SkillDetail = Answer<"playbooks.read">["skill"];
/** A version of a skill. */
export type SkillVersion = Answer<"playbooks.versions">["versions"][number];
