import { OperatorApiError } from "@agent-service/operator-api/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, type ReactNode, useState } from "react";
import { useApi } from "../api/index.ts";
import { Button, ErrorState, failureOf, TextField } from "../ui/index.ts";

/** Whether an error means that the operator's credential is missing or wrong. */
export function isRefused(error: unknown): boolean {
  return error instanceof OperatorApiError && (error.status === 401 || error.status === 403);
}

/** Asks for the operator's token where the service wants one and the browser has none that fits. */
export function TokenGate({ children }: { readonly children: ReactNode }): ReactElement {
  const { operator } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["runtime"],
    queryFn: () => operator.get("/api/runtime/status"),
  });
  if (isRefused(error)) return <TokenPrompt />;
  if (data === undefined && error !== null) {
    return <ErrorState title="The agent does not answer" error={error} onRetry={() => void refetch()} />;
  }
  return <>{children}</>;
}

function TokenPrompt(): ReactElement {
  const { token, operator } = useApi();
  const queries = useQueryClient();
  const known = token.read();
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState(known === undefined ? undefined : "This browser's token is refused.");
  const [busy, setBusy] = useState(false);

  async function enter(event: FormEvent): Promise<void> {
    event.preventDefault();
    const before = token.read();
    setBusy(true);
    token.write(value.trim());
    try {
      await operator.get("/api/runtime/status");
      await queries.resetQueries();
    } catch (error) {
      token.write(before);
      setProblem(isRefused(error) ? "The service refuses this token." : failureOf(error).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="mx-auto flex max-w-md flex-col gap-4 px-6 py-24">
      <h1 className="font-display text-xl font-semibold">Access token</h1>
      <p className="text-ink-soft">
        This agent is protected. <code>agent-service access</code> on its machine shows the token; it stays in this
        browser.
      </p>
      <form className="flex flex-col gap-3" onSubmit={(event) => void enter(event)}>
        <TextField
          label="Token"
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={value}
          error={problem}
          onChange={(event) => setValue(event.target.value)}
        />
        <Button kind="primary" type="submit" busy={busy} disabled={value.trim() === ""}>
          Enter
        </Button>
      </form>
    </main>
  );
}
