import * as v from "valibot";
import { flagQuery } from "../paging/index.ts";
import { defineRoute, type Frozen, json, type ServedRoute, serve } from "../route/index.ts";

const tag = "Files";

const entry = v.object({
  name: v.string(),
  path: v.string(),
  kind: v.picklist(["dir", "file", "other"]),
  link: v.pipe(v.boolean(), v.description("It is a link; `kind` is that of what it names.")),
});

const folder = v.object({
  path: v.string(),
  parent: v.pipe(v.nullable(v.string()), v.description("Null at the root of the file system.")),
  entries: v.pipe(v.array(entry), v.description("Folders first, then by name; at most 1,000.")),
  truncated: v.boolean(),
  roots: v.pipe(v.array(v.object({ label: v.string(), path: v.string() })), v.description("Places to begin at.")),
});

export const browseFolder = defineRoute({
  name: "files.browse",
  method: "GET",
  path: "/api/fs/browse",
  tag,
  namesFiles: true,
  summary: "The names in a folder of the machine, for choosing one",
  description: "Also outside of every project. Names only: no content, and folders that hold secrets are not entered.",
  query: v.object({
    path: v.optional(
      v.pipe(v.string(), v.maxLength(4_096), v.description("Absolute, or from `~`. Blank: the user's home.")),
      "",
    ),
    files: flagQuery("Also what is no folder."),
    hidden: flagQuery("Also names that begin with a dot."),
  }),
  reply: json(folder),
  failures: {
    400: "The path is relative, or no folder.",
    403: "It cannot be read, or its name says that it holds secrets.",
    404: "There is none.",
  },
});

export const listRoots = defineRoute({
  name: "files.roots",
  method: "GET",
  path: "/api/fs/roots",
  tag,
  summary: "The folders of the projects that the file tools reach, by name",
  reply: json(
    v.object({
      enabled: v.pipe(v.boolean(), v.description("Whether the file tools are on.")),
      roots: v.pipe(v.record(v.string(), v.string()), v.description("Absolute, without links.")),
    }),
  ),
});

/** Implemented by the service. Refuses by throwing `Problem`. */
export interface FilesService {
  browse(query: v.InferOutput<typeof browseFolder.query>): Promise<Frozen<v.InferOutput<typeof folder>>>;
  roots(): { readonly enabled: boolean; readonly roots: { readonly [project: string]: string } };
}

export function filesRoutes(files: FilesService): readonly ServedRoute[] {
  return [serve(browseFolder, ({ query }) => files.browse(query)), serve(listRoots, () => files.roots())];
}
