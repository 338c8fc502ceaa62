export { type ConfigProblem, type ConfigProblemCode, oneLine, type ProblemSink, problemAt } from "./config-problem.ts";
