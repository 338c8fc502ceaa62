import * as v from "valibot";
import { objectProblemSchema } from "../problem/index.ts";
import { defineRoute, json, type ServedRoute, serve } from "../route/index.ts";
import { type FilePage, filePageSchema, type ProjectDiff, projectDiffSchema } from "./schema.ts";

const tag = "Files";
const refusal = (description: string) => ({ description, schema: objectProblemSchema });
const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)), "");

export const readFilePage = defineRoute({
  name: "files.read",
  method: "GET",
  path: "/api/fs/file",
  tag,
  namesFiles: true,
  summary: "Lines of a text file of a project",
  description: `At most 20,000 lines and 2 MB; a line is shortened to 2,000 characters. Where there is more, \`truncated\` is
true and the next page begins at \`end + 1\`. A refusal has a \`code\`: \`disabled\`, \`bad_path\`, \`denied\`, \`not_found\`,
\`not_a_file\`, \`bad_range\`, \`unreadable\`.`,
  query: v.object({
    project: text("Its name."),
    path: text("From the project's folder."),
    start: v.optional(v.pipe(v.string(), v.description("The first line, from 1."))),
    end: v.optional(v.pipe(v.string(), v.description("The last line. Default: that of the file."))),
  }),
  reply: json(filePageSchema),
  failures: {
    400: refusal("The code is `bad_path`, `not_a_file`, `bad_range` or `unreadable`."),
    403: refusal("The code is `denied`: the name says that it holds secrets."),
    404: refusal("The code is `not_found`, or `disabled`: the code pane is off."),
  },
});

export const readProjectDiff = defineRoute({
  name: "files.diff",
  method: "GET",
  path: "/api/fs/diff",
  tag,
  summary: "What a project's files differ in from the last commit",
  description: `Staged or not, with renames by their old path; untracked text files up to 256 KB as added ones. At most 5,000
files and 1 MB of patch. Nothing that the repository's own settings name is run.`,
  query: v.object({ project: text("Its name.") }),
  reply: json(projectDiffSchema),
  failures: {
    400: refusal("The code is `bad_path`: there is no such project."),
    404: refusal("The code is `disabled`: the code pane is off."),
    504: "Git took longer than 10 seconds.",
  },
});

/** Implemented by the service. Refuses by throwing `Problem`. */
export interface CodePaneService {
  file(query: v.InferOutput<typeof readFilePage.query>, signal: AbortSignal): Promise<FilePage>;
  diff(project: string): Promise<ProjectDiff>;
}

export function codePaneRoutes(pane: CodePaneService): readonly ServedRoute[] {
  return [
    serve(readFilePage, ({ query, signal }) => pane.file(query, signal)),
    serve(readProjectDiff, ({ query }) => pane.diff(query.project)),
  ];
}
