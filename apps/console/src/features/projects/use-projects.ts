import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { requestKey, useApi } from "../../api/index.ts";
import { type Access, fieldsOf, type Project } from "./access.ts";

/** Milliseconds until it is looked again whether a missing folder is there. */
const MISSING_MS = 2_000;

/** The projects, read again at `projects.changed`. */
export function useProjects(): UseQueryResult<readonly Project[]> {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["projects", "list"],
    queryFn: async () => (await operator.get("/api/projects")).projects,
    // No event says that a folder is there again.
    refetchInterval: ({ state }) => (state.data?.every(({ exists }) => exists) === false ? MISSING_MS : false),
  });
}

/** What the settings say of new projects; a value that is hidden or not read yet is undefined. */
export interface NewProjects {
  readonly writes: boolean | undefined;
  /** The folder of clones; blank: there is none. */
  readonly root: string | undefined;
  /** Patterns of what may be cloned. */
  readonly allow: readonly string[] | undefined;
}

export function useNewProjects(): NewProjects {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["settings", "schema"],
    queryFn: () => operator.get("/api/settings/schema"),
  });
  const fields = data?.groups.find(({ section }) => section === "onboarding")?.fields;
  const settingOf = (key: string): unknown => fields?.find((field) => field.key === `onboarding.${key}`)?.value;
  const [writes, root, allow] = [settingOf("write_default"), settingOf("root"), settingOf("allow")];
  return {
    writes: typeof writes === "boolean" ? writes : undefined,
    root: typeof root === "string" ? root : undefined,
    allow: Array.isArray(allow) ? allow.filter((one) => typeof one === "string") : undefined,
  };
}

/** A folder of this machine that becomes a project. A blank name is made of the folder's. */
export interface NewFolder {
  readonly path: string;
  readonly name: string;
  readonly access: Access;
}

export function useAddFolder(): UseMutationResult<Project, Error, NewFolder> {
  const { operator } = useApi();
  return useChange(async ({ path, name, access }: NewFolder) => {
    const { write, no_delete } = fieldsOf(access);
    const body = { path, write, no_delete, ...(name !== "" && { name }) };
    return (await operator.post("/api/projects", { body, idempotencyKey: requestKey() })).project;
  });
}

/** What a person changes of a project. */
export interface ProjectChange {
  readonly access: Access;
  readonly scm_repo: string;
  readonly default_branch: string;
}

export function useEditProject(name: string): UseMutationResult<Project, Error, ProjectChange> {
  const { operator } = useApi();
  return useChange(async ({ access, ...texts }: ProjectChange) => {
    const body = { ...fieldsOf(access), ...texts };
    return (await operator.patch("/api/projects/{name}", { params: { name }, body })).project;
  });
}

export function useRemoveProject(name: string): UseMutationResult<void, Error, void> {
  const { operator } = useApi();
  return useChange(async () => {
    await operator.delete("/api/projects/{name}", { params: { name } });
  });
}

function useChange<TGiven, TDone>(change: (given: TGiven) => Promise<TDone>): UseMutationResult<TDone, Error, TGiven> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // The event of the change may come later than the answer.
    onSuccess: () => queries.invalidateQueries({ queryKey: ["projects"] }),
  });
}
