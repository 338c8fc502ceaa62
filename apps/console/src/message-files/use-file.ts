import { queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type ConsoleApi, useApi } from "../api/index.ts";
import type { FileContent, ShownFile } from "./shown-file.ts";

type Operator = ConsoleApi["operator"];

/** How long the content of a file that is not on the screen any more is held. */
const HELD_MS = 60_000;

/** The content of a file; undefined while it is read, and where it cannot be. */
export function useFile({ content, mediaType }: ShownFile): {
  readonly blob: Blob | undefined;
  readonly error: unknown;
} {
  const { operator } = useApi();
  const { data, error } = useQuery(
    content.kind === "stored" ? storedFile(operator, content) : { queryKey: ["message-file"], queryFn: skipToken },
  );
  const raw = content.kind === "held" ? content.raw : undefined;
  const held = useMemo(() => (raw === undefined ? undefined : blobOf(raw, mediaType)), [raw, mediaType]);
  return { blob: held ?? data, error };
}

/** The content of a file as an address for an image, and why there is none. */
export function useFileUrl(file: ShownFile): { readonly url: string | undefined; readonly error: unknown } {
  const { blob, error } = useFile(file);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return { url, error };
}

function storedFile(operator: Operator, { session, task, id }: Extract<FileContent, { readonly kind: "stored" }>) {
  return queryOptions({
    queryKey: ["message-file", session, task, id],
    queryFn: async ({ signal }): Promise<Blob> => {
      const params = { id: session, task_id: task, file_id: id };
      const path = "/api/chat/sessions/{id}/turns/{task_id}/files/{file_id}";
      return (await operator.get(path, { params, signal })).blob();
    },
    // What was attached never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: HELD_MS,
  });
}

/** Returns a function that reads a file's text. It rejects where the file is not kept any more. */
export function useReadText(): (file: ShownFile) => Promise<string> {
  const { operator } = useApi();
  const queries = useQueryClient();
  return useCallback(
    async ({ content, mediaType }: ShownFile): Promise<string> => {
      if (content.kind === "held") return blobOf(content.raw, mediaType).text();
      if (content.kind === "gone") throw new Error("The file is not kept any more.");
      return (await queries.fetchQuery(storedFile(operator, content))).text();
    },
    [operator, queries],
  );
}

function blobOf(raw: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(raw), (char) => char.charCodeAt(0))], { type });
}
