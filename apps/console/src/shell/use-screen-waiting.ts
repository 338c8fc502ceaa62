import { useQueries, useQuery } from "@tanstack/react-query";
import { type ConsoleApi, useApi } from "../api/index.ts";
import type { Screen } from "./screen.ts";

type Waiting = Pick<Screen, "id" | "waiting">;

function waitingQuery({ id, waiting }: Waiting, api: ConsoleApi) {
  return {
    queryKey: waiting?.key ?? [id, "waiting"],
    queryFn: () => waiting?.read(api) ?? 0,
    enabled: waiting !== undefined,
  };
}

/** How many things of a screen wait for a person. */
export function useScreenWaiting(screen: Waiting): number {
  return useQuery(waitingQuery(screen, useApi())).data ?? 0;
}

/** How many things of each of some screens do, in their order. */
export function useScreensWaiting(screens: readonly Waiting[]): readonly number[] {
  const api = useApi();
  return useQueries({ queries: screens.map((screen) => waitingQuery(screen, api)) }).map(({ data }) => data ?? 0);
}
