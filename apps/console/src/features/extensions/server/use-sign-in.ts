import { useCallback } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { failureOf } from "../../../ui/index.ts";
import { useServerChange } from "../use-servers.ts";
import { keepSignIn } from "./begun-sign-ins.ts";

/** Begins the sign-in to a server, whose page opens in the place of this one and comes back. */
export function useSignIn(name: string): () => void {
  const { operator, baseUrls } = useApi();
  const notify = useNotices();
  return useCallback(() => {
    const back = new URL(`${baseUrls.console.replace(/\/$/, "")}/oauth/mcp`, window.location.origin);
    const body = { redirect_uri: back.href };
    operator.post("/api/mcp/servers/{name}/auth", { params: { name }, body }).then(
      ({ url, state }) => {
        if (!/^https?:\/\//i.test(url)) return;
        keepSignIn(window.sessionStorage, state, name);
        window.location.assign(url);
      },
      (error: unknown) => void notify({ text: failureOf(error).message, tone: "bad" }),
    );
  }, [name, notify, operator, baseUrls.console]);
}

/** Forgets the sign-in to a server. */
export function useSignOut(name: string): () => void {
  const { operator } = useApi();
  const notify = useNotices();
  const { mutate } = useServerChange(() => operator.delete("/api/mcp/servers/{name}/auth", { params: { name } }));
  return useCallback(
    () =>
      mutate(undefined, {
        onSuccess: () => void notify({ text: `You are signed out of ${name}.`, tone: "plain" }),
        onError: (error) => void notify({ text: failureOf(error).message, tone: "bad" }),
      }),
    [mutate, name, notify],
  );
}
