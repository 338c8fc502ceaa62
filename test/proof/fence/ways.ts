/** Every way to a file: the fence itself, the agent's tools and the routes that serve content. */
import { parse } from "valibot";
import type { AnyTool, Fence } from "../../../packages/agent-core/src/index.ts";
import { fakeContext } from "../../../packages/plugin-sdk/src/testing/index.ts";
import type { FenceCase, Wanted } from "./cases.ts";
import type { Way } from "./run-cases.ts";
import { CANARY, INSIDE } from "./world.ts";

const MAX_BYTES = 1_000_000;

/** What of a project is reached by the fence alone. */
export function waysOfFence(fence: Fence): readonly Way[] {
  const way = (wanted: Wanted, go: Way["go"]): Way => ({ name: `fence.${wanted} (${fence.holding})`, wanted, go });
  return [
    way("read", async (one) => {
      await using located = await fence.open({ ...one, for: "read" });
      return (await located.read(MAX_BYTES)).toString();
    }),
    way("tree", async (one) => {
      await using located = await fence.open({ ...one, for: await kindOf(fence, one) });
      return located.kind;
    }),
    way("write", async (one) => {
      await using located = await fence.open({ ...one, for: "write" });
      await located.replace(Buffer.from("written"));
      return "written";
    }),
    way("delete", async (one) => {
      await using located = await fence.open({ ...one, for: "delete" });
      await located.remove();
      return "removed";
    }),
  ];
}

/** A file is looked through as a tree of one. */
async function kindOf(fence: Fence, one: Pick<FenceCase, "project" | "path">): Promise<"list" | "read"> {
  try {
    await (await fence.open({ ...one, for: "list" })).close();
    return "list";
  } catch (error) {
    if ((error as { code?: string }).code === "fence.not-a-folder") return "read";
    throw error;
  }
}

/** The arguments with which each tool that takes a path is called, and what it wants of it. */
const TOOLS: Readonly<Record<string, readonly [Wanted, object]>> = {
  read_file: ["read", {}],
  list_dir: ["tree", {}],
  find_files: ["tree", { pattern: "*" }],
  search_files: ["tree", { pattern: "CANARY|INSIDE" }],
  write_file: ["write", { content: "written" }],
  edit_file: ["edit", { old_string: "C", new_string: "X" }],
  delete_file: ["delete", {}],
  show_code: ["read", {}],
};

/** The tools of a service that take a path. */
export function waysOfTools(tool: (name: string) => AnyTool | undefined): readonly Way[] {
  let calls = 0;
  const call = async (name: string, { project, path }: Parameters<Way["go"]>[0], more: object): Promise<string> => {
    const found = tool(name)!;
    const input: unknown = parse(found.input, { project, path, ...more });
    const result = await found.run(input, fakeContext({ callId: `proof-${++calls}` }));
    return typeof result === "string" ? result : JSON.stringify(result);
  };
  return Object.entries(TOOLS).flatMap(([name, [wanted, more]]): readonly Way[] => {
    if (tool(name) === undefined) return [];
    const go: Way["go"] = async (one) => {
      // A file that is there is written over only by who has read it (F8).
      if (name === "write_file") await call("read_file", one, {}).catch(() => undefined);
      const shown = await call(name, one, more);
      if (name !== "show_code") return shown;
      // It says where lines are, never what they are.
      return shown.includes(INSIDE) ? CANARY : `${shown} ${INSIDE}`;
    };
    return [{ name, wanted, go }];
  });
}

/** The codes of the route for each of the fence's. */
const ROUTE_CODES: Readonly<Record<string, readonly string[]>> = {
  bad_path: ["fence.bad-path", "fence.outside", "fence.unknown-project"],
  denied: ["fence.denied"],
  not_found: ["fence.missing"],
  not_a_file: ["fence.not-a-file"],
};

/** `GET /api/fs/file` of a service at `url`. */
export function waysOfRoutes(url: string): readonly Way[] {
  const go = async (one: Pick<FenceCase, "project" | "path" | "refused">): Promise<string> => {
    const query = new URLSearchParams({ project: one.project, path: one.path });
    const response = await fetch(`${url}/api/fs/file?${query}`);
    const text = await response.text();
    if (response.ok) return text;
    const { detail } = JSON.parse(text) as { detail: { code?: string } | string | readonly unknown[] };
    // What does not fit the schema of the route is refused before the fence is asked.
    const sent =
      response.status === 422 ? "bad_path" : typeof detail === "object" && "code" in detail ? detail.code : undefined;
    const codes = ROUTE_CODES[sent ?? ""] ?? [];
    const code = codes.find((candidate) => (one.refused as readonly string[] | undefined)?.includes(candidate));
    throw Object.assign(new Error(text.replaceAll(one.path, "")), { code: code ?? `${response.status} ${sent}` });
  };
  return [{ name: "GET /api/fs/file", wanted: "read", go }];
}

/** What many guards do: compare the resolved text with the root's, then open by the path. The proof must find it out. */
export function waysOfTextGuard(root: string): readonly Way[] {
  const resolve = async (path: string): Promise<string> => {
    const { resolve: join } = await import("node:path");
    const resolved = join(root, path);
    if (!resolved.startsWith(root)) throw Object.assign(new Error("outside"), { code: "fence.outside" });
    return resolved;
  };
  const go: Way["go"] = async ({ path }) => {
    const { readFile, stat } = await import("node:fs/promises");
    const resolved = await resolve(path);
    if (!(await stat(resolved)).isFile()) throw Object.assign(new Error("no file"), { code: "fence.not-a-file" });
    return (await readFile(resolved)).toString();
  };
  return [{ name: "text guard", wanted: "read", go }];
}
