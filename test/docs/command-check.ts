import path from "node:path";
import type { Violation } from "../architecture/violation.ts";
import type { Repository } from "./doc-sources.ts";
import type { Markdown } from "./markdown.ts";

/** Commands of pnpm itself that a README may use. */
const pnpmCommands: ReadonlySet<string> = new Set([
  "install",
  "add",
  "remove",
  "exec",
  "dlx",
  "pack",
  "publish",
  "why",
]);

function scriptsOf(repository: Repository, folder: string): ReadonlySet<string> {
  const text = repository.read(path.posix.join(folder, "package.json"));
  const manifest = text === undefined ? {} : (JSON.parse(text) as { readonly scripts?: object });
  return new Set(Object.keys(manifest.scripts ?? {}));
}

interface PnpmCall {
  /** The package named by `--filter`, or undefined. */
  readonly filter: string | undefined;
  readonly script: string;
}

function callsIn(code: string): readonly PnpmCall[] {
  const pattern = /(?<![\w@/.-])pnpm\s+(?:(?:--filter|-F)[ =](\S+)\s+)?(?:run\s+)?([a-z][\w:-]*)/g;
  return [...code.matchAll(pattern)].map(([, filter, script]) => ({ filter, script: script ?? "" }));
}

function workspaceFolder(repository: Repository, packageName: string): string | undefined {
  const name = packageName.replace(/^@agent-service\//, "");
  return [`packages/${name}`, `apps/${name}`, `examples/${name}`, name].find((folder) =>
    repository.has(`${folder}/package.json`),
  );
}

/**
 * Rule 10, commands: every `pnpm <script>` in code (fenced or in backticks) names a script of the root's
 * `package.json`, of the document's own package, or of the package that `--filter` names.
 */
export function commandCheck(documents: readonly Markdown[], repository: Repository): readonly Violation[] {
  return documents.flatMap((document) => {
    const code = [...document.blocks.filter(({ language }) => language !== "ts"), ...document.spans];
    return code.flatMap(({ text, line }) =>
      callsIn(text).flatMap(({ filter, script }) => {
        const folder = filter === undefined ? path.posix.dirname(document.path) : workspaceFolder(repository, filter);
        if (folder === undefined) {
          return [{ file: document.path, line, message: `names the package ${filter}, which is not in the workspace` }];
        }
        const own = scriptsOf(repository, folder);
        const known = filter === undefined ? new Set([...own, ...scriptsOf(repository, ".")]) : own;
        const isKnown = pnpmCommands.has(script) || known.has(script);
        return isKnown
          ? []
          : [{ file: document.path, line, message: `runs "pnpm ${script}", which no package.json has` }];
      }),
    );
  });
}
