import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useApi } from "../../../api/index.ts";
import type { Skill, SkillDetail, SkillVersion } from "./skill-types.ts";

/** The skills, read again at `skill.changed`. */
export function useSkills(): UseQueryResult<readonly Skill[]> {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["skills", "list"],
    queryFn: async () => (await operator.get("/api/playbooks", { query: { limit: 1_000 } })).playbooks,
  });
}

/** One of them. */
export function useSkill(name: string): UseQueryResult<SkillDetail> {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["skills", "one", name],
    queryFn: async () => (await operator.get("/api/playbooks/{skill_id}", { params: { skill_id: name } })).skill,
  });
}

/** Its versions; with `version` that one alone, with its text. */
export function useSkillVersions(name: string, version?: number): UseQueryResult<readonly SkillVersion[]> {
  const { operator } = useApi();
  const query = version === undefined ? {} : { version: String(version) };
  return useQuery({
    queryKey: ["skills", "versions", name, version ?? "all"],
    queryFn: async () =>
      (await operator.get("/api/playbooks/{skill_id}/versions", { params: { skill_id: name }, query })).versions,
  });
}

/** Runs a change, and reads the skills again: its event may come later than its answer. */
export function useSkillChange<TGiven, TDone>(
  change: (given: TGiven) => Promise<TDone>,
): UseMutationResult<TDone, Error, TGiven> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: ["skills"] }),
  });
}

export function useRemoveSkill(name: string): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  return useSkillChange(() => operator.delete("/api/playbooks/{skill_id}", { params: { skill_id: name } }));
}
