/** The page on the service's conformance, made of the lists beside it and of the tests. */
import type { Citation } from "./citations.ts";
import type { Difference } from "./differences.ts";
import type { Requirement, Status } from "./requirement.ts";

/** What the page is made of. */
export interface ReportParts {
  readonly requirements: readonly Requirement[];
  readonly differences: readonly Difference[];
  readonly citations: readonly Citation[];
}

const STATUSES: readonly Status[] = ["met", "deviation", "not applicable"];
const VERSIONS = [
  ["1.0", "A2A 1.0.1"],
  ["0.3", "A2A 0.3.0"],
] as const;

/** Where the page lies, from the repository's root. */
export const REPORT_PATH = "docs/conformance.md";

const INTRODUCTION = `# Conformance

Made by \`pnpm conformance:report\` from \`test/conformance\` and from the titles of the tests; a test fails when this page
is not what that command writes.

The service speaks A2A 1.0 and 0.3 over JSON-RPC and HTTP+JSON. Below is every MUST and SHOULD that the two versions
ask of a server, paraphrased, with the service's conformance:

- **met**: the tests named beside it show it. Each carries the id in its title.
- **deviation**: the service does otherwise, because a document of this product wins or because something is not done.
- **not applicable**: it is about something this service does not have.

## How to run the checks

    pnpm exec vitest run test/conformance

asks the composed service over HTTP, in both versions and both bindings, and compares answers of 0.3 with the JSON schema
of that version and answers of 1.0 with strict shapes. \`pnpm test\` runs these and every other test named below. \`grep -rn
"R10-3.1.2-4" packages apps test\` finds what shows one requirement. The official clients of both versions run against the
service in \`apps/server/src/surfaces/a2a/official-sdk.test.ts\` and \`apps/server/src/surfaces/a2a/official-sdk-v1.test.ts\`.

By hand, on 22 November 2026 (Linux, two cores, Node 24.21), against a built service: the official clients for Python (a2a-sdk
0.3.26, and 1.3.0 over both bindings), for Go (0.3.3) and for JavaScript (0.3 and 1.x) sent, streamed, resubscribed, canceled, and
read the error of a refused stream. The Go client of 1.x was not tried.
`;

const DOCUMENTED = `## What the protocol wants documented

**How long contexts live.** A context begins with its first message and has no end of its own. Its conversation, the
tasks in it included, is removed by a person, or when it was silent for \`checkpoint.conversation_max_age_days\`
(default 0: never), and not while a task of it works or waits. Streamed deltas of text are removed 24 hours after a task's
end, its steps \`checkpoint.max_age_days\` (30) after it, but for the newest \`checkpoint.keep_per_thread\` (5) turns of a
context; artifacts, history and status stay. Idempotency keys are removed 24 hours after they were used. A message that names a removed context begins a new conversation under that name; a removed
task is TaskNotFound.

**Who may do what.** A caller is of one of two classes, found from its credential with every request. There are no scopes.

| Class | Credential | May |
|---|---|---|
| operator | the bearer token, the API key; everybody on an instance without either | everything, also with what a federation caller began |
| federation | the federation token | all A2A methods on its own tasks and contexts, and the extended card; no approvals, nothing under \`/api\` |
| none | none, or a wrong one, where one is configured | the public card, health and metrics |

What another class began is answered like what never existed. The extended card is the public card, for both classes.
`;

/** The whole page. */
export function conformanceReport({ requirements, differences, citations }: ReportParts): string {
  const shown = shownBy(citations);
  const sections = VERSIONS.map(([version, title]) => {
    const rows = requirements.filter((one) => one.version === version);
    return `## ${title}\n\n${requirementTable(rows, shown)}`;
  });
  return [
    INTRODUCTION,
    summary(requirements),
    `## Deliberate differences\n\nThe [specification](specification/README.md) of this service wins over the protocol.\n\n${differenceTable(differences, shown)}`,
    DOCUMENTED,
    ...sections,
  ].join("\n");
}

/** Links to the tests of an id, each file once. */
function shownBy(citations: readonly Citation[]): (id: string) => string {
  const files = new Map<string, Set<string>>();
  for (const { id, file } of citations) files.set(id, (files.get(id) ?? new Set()).add(file));
  return (id) =>
    [...(files.get(id) ?? [])]
      .sort()
      .map((file) => `[${nameOf(file)}](../${file})`)
      .join(", ");
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.test\.tsx?$/, "");
}

function summary(requirements: readonly Requirement[]): string {
  const rows = VERSIONS.map(([version, title]) => {
    const counts = STATUSES.map(
      (status) => requirements.filter((one) => one.version === version && one.status === status).length,
    );
    return `| ${title} | ${counts.join(" | ")} |`;
  });
  return `| | ${STATUSES.join(" | ")} |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function differenceTable(differences: readonly Difference[], shown: (id: string) => string): string {
  const rows = differences.map(
    ({ id, version, protocol, service, wins }) =>
      `| ${id} | ${version} | ${protocol} | ${service} | ${wins} | ${shown(id)} |`,
  );
  return `| Id | Version | The protocol | The service | Wins | Shown by |\n|---|---|---|---|---|---|\n${rows.join("\n")}\n`;
}

function requirementTable(rows: readonly Requirement[], shown: (id: string) => string): string {
  const lines = rows.map(({ id, level, binding, text, status, why }) => {
    const reason = why === undefined ? shown(id) : [why, shown(id)].filter((part) => part !== "").join(" ");
    return `| ${id} | ${level} | ${binding} | ${text} | ${status} | ${reason} |`;
  });
  return `| Id | Level | Where | Requirement | Status | Shown by, or why |\n|---|---|---|---|---|---|\n${lines.join("\n")}\n`;
}
