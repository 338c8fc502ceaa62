import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useApi } from "../../../api/index.ts";
import type { ShownFile } from "./shown-file.ts";

/** How long the content of a file that is not on the screen any more is held. */
const HELD_MS = 60_000;

/** The content of a file; undefined while it is read, and where it cannot be. */
export function useFile({ content, mediaType }: ShownFile): {
  readonly blob: Blob | undefined;
  readonly error: unknown;
} {
  const { operator } = useApi();
  const place =
    content.kind === "stored" ? { id: content.session, task_id: content.task, file_id: content.id } : undefined;
  const { data, error } = useQuery({
    queryKey: ["message-file", place],
    queryFn:
      place === undefined
        ? skipToken
        : async ({ signal }) => {
            const path = "/api/chat/sessions/{id}/turns/{task_id}/files/{file_id}";
            return (await operator.get(path, { params: place, signal })).blob();
          },
    // What was attached never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: HELD_MS,
  });
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

function blobOf(raw: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(raw), (char) => char.charCodeAt(0))], { type });
}
