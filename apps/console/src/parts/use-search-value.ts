import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/**
 * A value in the page's address (`?status=failed`), so that it survives a reload and can be shared. Undefined:
 * it is not there.
 */
export function useSearchValue(name: string): readonly [string | undefined, (value: string | undefined) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const value = search[name];
  const set = useCallback(
    (next: string | undefined) => {
      // The current address: `to: "."` keeps the path.
      void navigate({
        to: ".",
        replace: true,
        search: (before: Readonly<Record<string, unknown>>) => ({ ...before, [name]: next }),
      } as Parameters<typeof navigate>[0]);
    },
    [name, navigate],
  );
  return [typeof value === "string" || typeof value === "number" ? String(value) : undefined, set];
}
