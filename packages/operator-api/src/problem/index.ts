export { notEnabled, Problem, type ProblemDetail, type ProblemEntry, type ProblemObject } from "./problem.ts";
export { listProblemSchema, objectProblemSchema, textProblemSchema } from "./problem-schema.ts";
export { problemText } from "./problem-text.ts";
