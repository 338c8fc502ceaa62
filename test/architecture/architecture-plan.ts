/** What one workspace package may import from the workspace. */
export interface AllowedImports {
  /** Workspace specifiers, exactly as imported: a package name, or one entry point of it. */
  readonly values: readonly string[];
  /** Specifiers allowed in `import type` only. */
  readonly types: readonly string[];
  /** True where the package must run outside Node, so `node:` imports are refused too. */
  readonly anyRuntime?: boolean;
}

const scope = "@agent-service/";
const a2aProtocol = ["", "/server", "/client", "/receiver"].map((entry) => `${scope}a2a-protocol${entry}`);
const agentCore = [`${scope}agent-core`];
const testing = [`${scope}agent-core/testing`];

/**
 * The import table of `docs/architecture.md`, by package folder. A folder without a row may import nothing from the
 * workspace. Examples and the bench stand outside the table: they use the published entry points of anything.
 */
export const importTable: Readonly<Record<string, AllowedImports>> = {
  "packages/a2a-protocol": { values: [], types: [], anyRuntime: true },
  "packages/plugin-sdk": { values: [], types: [] },
  "packages/config": { values: [], types: [] },
  "packages/agent-core": { values: [`${scope}plugin-sdk`, `${scope}plugin-sdk/testing`], types: [] },
  "packages/operator-api": { values: [], types: [...agentCore, `${scope}config`] },
  "apps/server": {
    values: [
      ...a2aProtocol,
      ...agentCore,
      ...testing,
      `${scope}config`,
      `${scope}config/testing`,
      `${scope}operator-api`,
      `${scope}operator-api/client`,
    ],
    types: [],
  },
  "apps/console": {
    values: [`${scope}operator-api/client`, `${scope}a2a-protocol/client`],
    types: [],
    anyRuntime: true,
  },
};

/** Folders outside the import table. */
export function isOutsideTheTable(folder: string): boolean {
  return folder === "bench" || folder.startsWith("examples/");
}

/**
 * The modules of agent-core from the top down: a module imports only modules that stand after it. A new module gets its
 * place here first.
 */
export const agentCoreOrder: readonly string[] = [
  "testing",
  "plugin",
  ...["goal", "watch", "schedule", "background", "workflow"],
  ...["session", "delegation", "board", "inbox", "activity", "waiting", "prompt-warming"],
  ...["filesystem", "code-run", "mcp"],
  ...["webhook", "audit", "prompt-snapshot", "telemetry", "tracing"],
  "feature",
  "timer",
  "task",
  "command",
  "turn",
  ...["general-tools", "web-tools", "config-tools"],
  ...["prompt", "context"],
  ...["knowledge", "memory", "skill"],
  ...["tool", "approval", "model"],
  "kept-answer",
  "bus",
  "projection",
  ...["journal", "event"],
  ...["database", "egress", "redaction"],
  ...["clock", "json", "collection", "share"],
];

/** Packages whose modules have a written order; in the others any order without a circle will do. */
export const moduleOrders: Readonly<Record<string, readonly string[]>> = { "packages/agent-core": agentCoreOrder };

/** Names that say nothing about what is inside. */
export const emptyNames: ReadonlySet<string> = new Set(["lib", "utils", "helpers", "common", "misc", "manager"]);

export const maxFileLines = 400;
export const maxFunctionLines = 80;

/** A file or function allowed to be larger than the rule, up to a ceiling. `name` is absent for a whole file. */
export interface SizeException {
  readonly file: string;
  readonly name?: string;
  readonly ceiling: number;
  readonly why: string;
}

/** A file allowed to break one of the other rules, with the reason. `match` is part of the violation's message. */
export interface RuleException {
  readonly file: string;
  readonly match: string;
  readonly why: string;
}

/** Every exception to rule 4. One that is no longer needed fails the test, so the list only shrinks. */
export const sizeExceptions: readonly SizeException[] = [];

/** Every exception to rules 5 and 9. One that is no longer needed fails the test. */
export const ruleExceptions: readonly RuleException[] = [];
