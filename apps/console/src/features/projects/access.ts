import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

/** A project as the API lists it. */
export type Project = AnswerOf<Extract<OperatorDefinition, { readonly name: "projects.list" }>>["projects"][number];

/** What the agent may do in a project, as a person chooses it. */
export type Access = "read" | "write" | "keep" | "none";

interface AccessWords {
  readonly value: Access;
  readonly label: string;
  /** What it means, one sentence. */
  readonly hint: string;
}

/** Every kind of access, from the least to the most. */
export const ACCESS: readonly AccessWords[] = [
  { value: "none", label: "No access", hint: "The project stays listed, and no file tool reaches it." },
  { value: "read", label: "Read only", hint: "The agent reads and searches; its file tools change nothing." },
  { value: "keep", label: "May write, not delete", hint: "The agent writes and edits files, and deletes none." },
  { value: "write", label: "May write", hint: "The agent writes and edits files. It asks before it deletes one." },
];

export function accessOf({ fs, write, no_delete }: Pick<Project, "fs" | "write" | "no_delete">): Access {
  if (!fs) return "none";
  if (!write) return "read";
  return no_delete ? "keep" : "write";
}

/** The fields of a project that give this access. */
export function fieldsOf(access: Access): Pick<Project, "fs" | "write" | "no_delete"> {
  return { fs: access !== "none", write: access === "write" || access === "keep", no_delete: access === "keep" };
}
