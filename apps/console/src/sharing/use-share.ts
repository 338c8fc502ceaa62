import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { requestKey, useApi } from "../api/index.ts";

/** What is shared: a whole conversation, or one run. */
export type ShareTarget = { readonly session_id: string } | { readonly task_id: string };

/** What goes along only where it is ticked, and how that is called. */
export const PARTS = [
  { name: "tool_arguments", label: "What tools were given" },
  { name: "tool_results", label: "What tools returned" },
  { name: "reasoning", label: "The model's reasoning" },
  { name: "persona", label: "The agent's persona" },
] as const;

/** The parts that are ticked. */
export type Ticks = { readonly [Name in (typeof PARTS)[number]["name"]]: boolean };

export const NO_TICKS: Ticks = { tool_arguments: false, tool_results: false, reasoning: false, persona: false };

/** How long a link works, in seconds. */
export const LIFETIMES = [
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
  { value: "2592000", label: "30 days" },
] as const;

/** The shares there are, and whether any can be made. */
export function useShares(enabled = true) {
  const { operator } = useApi();
  return useQuery({ queryKey: ["shares"], enabled, queryFn: () => operator.get("/api/shares") });
}

/** What a share would show. */
export function usePreview(target: ShareTarget, include: Ticks, enabled: boolean) {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["share-preview", target, include],
    enabled,
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: () => operator.post("/api/shares/preview", { body: { ...target, include } }),
  });
}

/** Makes a share; its link is the console's own address for it. */
export function useMakeShare(target: ShareTarget) {
  const { operator, baseUrls } = useApi();
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ include, seconds }: { readonly include: Ticks; readonly seconds: number }) {
      const body = { ...target, include, expires_in_s: seconds };
      const made = await operator.post("/api/shares", { body, idempotencyKey: requestKey() });
      return { ...made, link: linkFrom(made.url, baseUrls.agent) };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["shares"] }),
  });
}

/** Revokes a share. */
export function useRevokeShare() {
  const { operator } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => operator.delete("/api/shares/{id}", { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["shares"] }),
  });
}

/**
 * The address of a share as this browser reaches the service, which may be by https or behind a proxy that the service
 * does not know; an address of another host is the public one, and stays.
 */
export function linkFrom(url: string, base: string): string {
  const own = new URL("share/", base.endsWith("/") ? base : `${base}/`);
  const given = new URL(url);
  return given.host === own.host ? new URL(given.pathname.split("/").at(-1) ?? "", own).href : url;
}
