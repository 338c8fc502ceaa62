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
const agentCore = [`${scope}agent-core/host`];
const testing = [`${scope}agent-core/testing`];

/**
 * The import table of `docs/architecture.md`, by package folder. A folder without a row may import nothing from the
 * workspace. Examples and the bench are outside the table: they use the published entry points of anything.
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
 * The modules of agent-core from the top down: a module imports only modules listed after it. A new module gets its
 * position here first. Modules with a `feature.ts` are directly above `feature`, in any order without a cycle.
 */
export const agentCoreOrder: readonly string[] = [
  "testing",
  "feature",
  "mcp",
  "timer",
  "trigger",
  "task",
  "command",
  "turn",
  ...["general-tools", "web-tools", "config-tools", "onboarding"],
  ...["prompt", "context"],
  ...["knowledge", "memory", "skill"],
  ...["tool", "approval", "model"],
  "idempotency",
  "bus",
  "projection",
  "working-state",
  ...["journal", "event"],
  "git-read",
  "document",
  "fence",
  "process",
  "command-approval",
  ...["database", "egress", "redaction"],
  "tree-walk",
  ...["file-name", "line-changes", "cron"],
  ...["clock", "json", "collection", "share", "error", "log"],
];

/** Packages whose modules have a written order; in the others any order without a circle will do. */
export const moduleOrders: Readonly<Record<string, readonly string[]>> = { "packages/agent-core": agentCoreOrder };

/** Where features lie, and the lists that name them. `folder` matches a file by which its folder is known as a feature. */
export const featureLocations: readonly { readonly folder: RegExp; readonly lists: readonly string[] }[] = [
  {
    folder: /^(packages\/agent-core\/src\/(?!feature\/)[^/]+)\/feature\.ts$/,
    lists: [
      "packages/agent-core/src/index.ts",
      "packages/agent-core/src/host.ts",
      "packages/agent-core/src/host-autonomy.ts",
    ],
  },
  {
    folder: /^(packages\/operator-api\/src\/[^/]+)\/resource\.ts$/,
    lists: ["packages/operator-api/src/resources.ts", "packages/operator-api/src/index.ts"],
  },
  { folder: /^(apps\/server\/src\/features\/[^/]+)\//, lists: ["apps/server/src/features.ts"] },
  { folder: /^(apps\/console\/src\/features\/[^/]+)\//, lists: ["apps/console/src/screens.ts"] },
];

/** Names that do not describe the content. */
export const emptyNames: ReadonlySet<string> = new Set(["lib", "utils", "helpers", "common", "misc", "manager"]);
