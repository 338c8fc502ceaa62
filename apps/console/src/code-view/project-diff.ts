import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** What a project's files differ in from its last commit, as the API has it. */
export type ProjectDiff = AnswerOf<Extract<OperatorDefinition, { readonly name: "files.diff" }>>;
export type DiffFile = ProjectDiff["files"][number];
