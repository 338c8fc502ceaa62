import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import type { Fence, ReachableProject } from "../fence/index.ts";
import { fileArguments, OF_FILES } from "./path-arguments.ts";

/** `list_projects()` (F6). */
export function listProjects(fence: Fence): AnyTool {
  return defineTool({
    name: "list_projects",
    description: "List the projects: the folders the file tools reach.",
    input: fileArguments({}),
    effect: "pure",
    ...OF_FILES,
    content: "own",
    present: { asks: "List the projects?", doing: "Listing the projects", done: "Listed the projects" },
    run: () => fence.projects.reachable.map(lineOf).join("\n"),
  });
}

function lineOf({ name, path, write, noDelete, scmRepo, defaultBranch }: ReachableProject): string {
  const access = write ? (noDelete ? "read and write, no deletes" : "read and write") : "read only";
  const repository = scmRepo === "" ? "" : `, ${scmRepo} (${defaultBranch})`;
  return `${name}: ${path}, ${access}${repository}`;
}
