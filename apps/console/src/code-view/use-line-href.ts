import { useCallback } from "react";
import { useApi } from "../api/index.ts";
import { type CodePlace, linesText } from "./code-place.ts";

/** Returns the address of a line of a file on its page; without a line that of the place. */
export function useLineHref({ project, path, lines }: CodePlace): (line?: number) => string {
  const { baseUrls } = useApi();
  return useCallback(
    (line) => {
      const chosen = line ?? (lines === undefined ? undefined : linesText(lines));
      const search = new URLSearchParams({ project, path, ...(chosen !== undefined && { lines: String(chosen) }) });
      return `${baseUrls.console}/files?${search}`;
    },
    [baseUrls, project, path, lines],
  );
}
