import { useQuery } from "@tanstack/react-query";
import { useApi, useRuntimeStatus } from "../../../api/index.ts";
import type { EndedCounts } from "./forgotten-words.ts";

/** As many of all as one page has: what is beyond is not counted. */
const MOST = 500;

/** What works for a conversation and is removed with it; what is not known yet counts as none. */
export function useWhatEnds(session: string): EndedCounts {
  const { operator } = useApi();
  const features = useRuntimeStatus()?.features;
  const isThere = (name: "watches" | "goals" | "scheduler"): boolean => features?.[name]?.available === true;
  const watches = useQuery({
    queryKey: ["watches", "of-session"],
    queryFn: () => operator.get("/api/watches", { query: { limit: MOST } }),
    enabled: isThere("watches"),
    staleTime: 0,
  });
  const jobs = useQuery({
    queryKey: ["scheduler", "of-session"],
    queryFn: () => operator.get("/api/scheduler/jobs", { query: { limit: MOST } }),
    enabled: isThere("scheduler"),
    staleTime: 0,
  });
  const goal = useQuery({
    queryKey: ["goals", "of-session", session],
    queryFn: () => operator.get("/api/goals/{session_id}", { params: { session_id: session } }),
    enabled: isThere("goals"),
    staleTime: 0,
  });
  return {
    goals: goal.data?.goal == null ? 0 : 1,
    watches: watches.data?.watches.filter((one) => one.run_session === session).length ?? 0,
    schedules:
      jobs.data?.jobs.filter((one) => one.context_id === session && session !== `schedule:${one.id}`).length ?? 0,
  };
}
