import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useApi } from "../../api/index.ts";
import { ErrorState, Page, SkeletonRows } from "../../ui/index.ts";
import { takeSignIn } from "./server/begun-sign-ins.ts";
import { useServerChange } from "./use-servers.ts";

/** Where the page of an authorization server sends the person back to: ends the sign-in, and opens its server. */
export function SignInPage(): ReactElement {
  const { operator } = useApi();
  const navigate = useNavigate();
  const isBegun = useRef(false);
  const [failure, setFailure] = useState<Error>();
  const { mutate } = useServerChange(({ name, params }: { name: string; params: Record<string, string> }) =>
    operator.post("/api/mcp/servers/{name}/auth/finish", { params: { name }, body: { params } }),
  );
  useEffect(() => {
    // The answer is good for one use.
    if (isBegun.current) return;
    isBegun.current = true;
    const params = Object.fromEntries(new URLSearchParams(window.location.search));
    // No code stays in the history of the browser.
    window.history.replaceState(window.history.state, "", window.location.pathname);
    const name = takeSignIn(window.sessionStorage, params.state ?? "");
    if (name === undefined) {
      setFailure(new Error("This sign-in was not begun in this tab, or was ended already. Begin it again."));
      return;
    }
    mutate(
      { name, params },
      {
        onSuccess: () => void navigate({ to: "/extensions/mcp/$server", params: { server: name }, replace: true }),
        onError: setFailure,
      },
    );
  }, [mutate, navigate]);
  return (
    <Page
      title="Signing in"
      lead={
        <Link to="/extensions/mcp" className="text-sm text-accent underline">
          All servers
        </Link>
      }
    >
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {failure === undefined ? <SkeletonRows /> : <ErrorState title="You are not signed in" error={failure} />}
      </div>
    </Page>
  );
}
