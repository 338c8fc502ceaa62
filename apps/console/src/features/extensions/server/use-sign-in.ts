import { useCallback } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { failureOf } from "../../../ui/index.ts";

/** Begins the sign-in to a server, whose page opens in the place of this one and comes back. */
export function useSignIn(name: string): () => void {
  const { operator } = useApi();
  const notify = useNotices();
  return useCallback(() => {
    // The route is specified and not built: the client has no type of it, and its answer says so.
    const post = operator.post as unknown as (path: string, call: object) => Promise<{ readonly url?: unknown }>;
    post("/api/mcp/servers/{name}/auth", { params: { name } }).then(
      ({ url }) => {
        if (typeof url === "string" && /^https?:\/\//i.test(url)) window.location.assign(url);
      },
      (error: unknown) => void notify({ text: failureOf(error).message, tone: "bad" }),
    );
  }, [name, notify, operator]);
}
