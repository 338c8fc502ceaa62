import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";
import { FileList, imagesOf } from "../../../message-files/index.ts";
import { InlineError } from "../../../ui/index.ts";

/** The images of a call that ended, which is the newest turn of its session. Nothing where it brought none. */
export function ResultImages({ session, task }: { readonly session: string; readonly task: string }): ReactElement {
  const { operator } = useApi();
  const { data = [], error } = useQuery({
    queryKey: ["result-images", session, task],
    queryFn: async ({ signal }) => {
      const path = "/api/chat/sessions/{id}/turns";
      const { turns } = await operator.get(path, { params: { id: session }, query: { limit: 1 }, signal });
      return turns.filter(({ task_id }) => task_id === task).flatMap((turn) => imagesOf(session, turn));
    },
    // What a call returned never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <InlineError error={error} />;
  return <FileList files={data} label="Images of results" />;
}
