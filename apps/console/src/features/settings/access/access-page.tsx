import { createOperatorClient } from "@agent-service/operator-api/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, CopyButton, InlineError, Page, SkeletonRows, TextField } from "../../../ui/index.ts";
import { BackToSettings } from "../back-to-settings.tsx";
import { fieldOf, useSettings, useSources } from "../use-settings.ts";
import { changeToken, problemOfToken, randomToken } from "./change-token.ts";

const KEY = "auth.token";

/** Sets or changes the operator's token, without locking the person out. */
export function AccessPage(): ReactElement {
  const { data } = useSettings();
  const location = useSources().get(KEY);
  const field = data && fieldOf(data, KEY);
  return (
    <Page title="Access token" lead={<BackToSettings />}>
      <div className="flex max-w-4xl flex-col gap-4 p-4 pb-16">
        {data === undefined && <SkeletonRows rows={3} />}
        {data !== undefined && field === undefined && (
          <p>The token is hidden from this console (settings.hidden). It is changed in the configuration.</p>
        )}
        {field !== undefined && (
          <>
            <p className="max-w-prose">
              {field.is_set === true
                ? "A token is set. Only callers with it can use this console and the operator API."
                : "No token is set: every program on this machine may use this agent as you do."}
            </p>
            {field.read_only ? (
              <p className="max-w-prose text-ink-soft">
                It is set by {location ?? "the environment"}, and is changed there.
              </p>
            ) : (
              <TokenForm isSet={field.is_set === true} />
            )}
          </>
        )}
      </div>
    </Page>
  );
}

function useChangeToken() {
  const { token, baseUrls, events } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  return useMutation({
    mutationFn: async (next: string) => {
      const before = token.read();
      const as = (bearer: string | undefined) => createOperatorClient({ baseUrl: baseUrls.agent, token: bearer ?? "" });
      // Reads that are under way would be refused.
      await queries.cancelQueries();
      await changeToken(next, before, {
        keep: (one) => token.write(one),
        async save(one) {
          await as(before).post("/api/settings", { body: { updates: { [KEY]: one } }, idempotencyKey: requestKey() });
        },
        accepts: (one) => isOperator(as(one)),
      });
      events.stop();
      events.start();
    },
    onSuccess: () =>
      notify({ text: "The token is changed. This browser has it; other browsers will ask for it.", tone: "good" }),
    onSettled: () => queries.invalidateQueries(),
  });
}

async function isOperator(client: ReturnType<typeof createOperatorClient>): Promise<boolean> {
  try {
    await client.get("/api/runtime/status");
    return true;
  } catch (error) {
    if (error instanceof Error && "status" in error && (error.status === 401 || error.status === 403)) return false;
    throw error;
  }
}

function TokenForm({ isSet }: { readonly isSet: boolean }): ReactElement {
  const change = useChangeToken();
  const [value, setValue] = useState("");
  const [shown, setShown] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const wrong = problemOfToken(value.trim());
    setProblem(wrong);
    // What is entered during the save stays.
    const clear = () => setValue((now) => (now === value ? "" : now));
    if (wrong === undefined) change.mutate(value.trim(), { onSuccess: clear });
  }
  return (
    <form noValidate className="flex max-w-xl flex-col gap-3" onSubmit={submit}>
      <TextField
        label={isSet ? "New token" : "Token"}
        type={shown ? "text" : "password"}
        autoComplete="new-password"
        spellCheck={false}
        className="font-mono"
        value={value}
        error={problem}
        hint="Keep it somewhere before you set it: the service does not show it again. Scripts that use the old one need the new one."
        onChange={(event) => {
          if (change.isError) change.reset();
          setValue(event.target.value);
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={change.isPending} disabled={value.trim() === ""}>
          {isSet ? "Change the token" : "Set the token"}
        </Button>
        <Button
          onClick={() => {
            setValue(randomToken());
            setShown(true);
            setProblem(undefined);
          }}
        >
          Make one
        </Button>
        {value !== "" && <Button onClick={() => setShown(!shown)}>{shown ? "Hide it" : "Show it"}</Button>}
        {value !== "" && <CopyButton text={value.trim()} label="Copy the token" showLabel />}
      </div>
      {change.error !== null && <InlineError error={change.error} />}
    </form>
  );
}
