import type { ClientCommand } from "../command.ts";
import { usage } from "../command-failure.ts";
import { notShown, patchText } from "../diff-text.ts";
import { EXIT } from "../exit-code.ts";
import { clean } from "../terminal-text.ts";

/** `agent-service diff`. */
export const diffCommand: ClientCommand = {
  name: "diff",
  order: 83,
  summary: "What a project's files differ in from the last commit",
  usage: `agent-service diff <project>     staged or not, with files that git does not know

  Needs filesystem.code_pane.
`,
  async run({ api, json, note, paint, positionals, write, writeJson }) {
    const [project, extra] = positionals;
    if (project === undefined) throw usage("diff needs the name of a project: agent-service projects lists them");
    if (extra !== undefined) throw usage(`there is one argument too many: ${JSON.stringify(extra)}`);
    const diff = await api.get("/api/fs/diff", { query: { project } });
    if (json) {
      writeJson(diff);
      return EXIT.ok;
    }
    if (!diff.is_git) {
      note(
        `${clean(diff.project)} is no git repository${diff.reason === undefined ? "" : `: ${clean(diff.reason)}`}.\n`,
      );
      return EXIT.ok;
    }
    const at = diff.head === null ? "before the first commit" : `at ${diff.head.slice(0, 12)}`;
    note(`${clean(diff.project)}, ${diff.branch === null ? "no branch" : `branch ${clean(diff.branch)}`} ${at}\n`);
    if (diff.files.length === 0) note("Every file is as it was committed.\n");
    write(patchText(diff.patch, paint));
    for (const line of notShown(diff.files)) note(line);
    if (diff.truncated) note("There is more than is shown.\n");
    return EXIT.ok;
  },
};
