export { longFiles } from "./long-files.ts";

/** What rule 4 allows. */
export const limits = { fileLines: 400, warnedLines: 300, functionLines: 80, imports: 20, folderFiles: 30 } as const;

/** A file, function or folder that may be larger than rule 4 allows, up to a ceiling. */
export interface LimitException {
  /** The file, or the folder where `of` is `files`. */
  readonly file: string;
  readonly of: "lines" | "imports" | "files" | `function ${string}`;
  readonly ceiling: number;
  readonly why: string;
}

/** What may break another rule, with the reason. */
export interface RuleException {
  /** A file, or a folder with a slash at its end. */
  readonly file: string;
  /** Part of the violation's message. */
  readonly match: string;
  readonly why: string;
}

/** Exceptions to rule 4. One that is no longer needed fails, so the list only shrinks. */
export const limitExceptions: readonly LimitException[] = [];

const sqlInTests = "a test holds SQL";
const sqlInSource = "holds SQL: a query";
const feature = "names the feature";

/** Exceptions to the other rules. One that is no longer needed fails. */
export const ruleExceptions: readonly RuleException[] = [
  {
    file: "apps/server/src/",
    match: sqlInTests,
    why: "responses of the service are compared with what is stored, and a store is broken as no query of ours would",
  },
  {
    file: "test/conformance/",
    match: sqlInTests,
    why: "a refused request must have left no row, whatever the response",
  },
  {
    file: "test/proof/",
    match: sqlInTests,
    why: "judges a store after a kill without the engine, whose own queries may hide a loss",
  },
  { file: "bench/", match: sqlInSource, why: "fills a store with months of conversations faster than turns could" },
  {
    file: "apps/server/src/",
    match: "ApiError has no code",
    why: "an HTTP answer: its status and type are the code",
  },
  {
    file: "packages/agent-core/src/core-bench.ts",
    match: feature,
    why: "measures an engine with the features it names",
  },
  { file: "packages/agent-core/src/mcp-servers-bench.ts", match: feature, why: "runs the feature it names, for tests" },
  { file: "packages/agent-core/src/goal-bench.ts", match: feature, why: "runs the features it names, for tests" },
  { file: "packages/agent-core/src/webhook-bench.ts", match: feature, why: "measures the feature it names" },
  {
    file: "packages/agent-core/schema/webhook-queries.ts",
    match: feature,
    why: "the feature's own queries; the generator keeps all of them in one folder",
  },
  {
    file: "apps/console/src/main.tsx",
    match: feature,
    why: "the reference of the API is a page of its own, which is shown without the screens",
  },
  {
    file: "packages/operator-api/src/problem/problem.ts",
    match: "Problem has no code",
    why: "an HTTP answer: its status is the code",
  },
  {
    file: "packages/operator-api/src/http-client/operator-api-error.ts",
    match: "OperatorApiError has no code",
    why: "an HTTP answer: its status is the code",
  },
  {
    file: "packages/config/src/secrets-manager/secrets-provider.ts",
    match: "SecretsError has no code",
    why: "its kind is the code, and part of what the package publishes",
  },
];
