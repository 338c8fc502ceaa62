import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import { ConnectionFields, LocalServers, ModelChoice, probeOf, problemOfAddress } from "../../connections/index.ts";
import { Button, InlineError } from "../../ui/index.ts";
import { problemOfSetup, type SetupDraft, setupBody } from "./setup-draft.ts";

/** The model server and the model, with a live test; finishing asks the model once more and saves everything. */
export function ConnectionStep({
  draft,
  onChange,
  onBack,
  onLeave,
  onDone,
}: {
  readonly draft: SetupDraft;
  readonly onChange: (draft: SetupDraft) => void;
  readonly onBack: () => void;
  /** The person has no model server. */
  readonly onLeave: () => void;
  /** Finishes the setup; with the service's result. */
  readonly onDone: (message: string) => void;
}): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const [tried, setTried] = useState(false);
  const { connection } = draft;
  const { data } = useQuery({ queryKey: ["providers", "list"], queryFn: () => operator.get("/api/providers") });
  const taken = data?.providers.map(({ id }) => id) ?? [];
  const finish = useMutation({
    mutationFn: async () => {
      const { config, soul } = setupBody(draft, taken);
      return operator.post("/api/config/setup", {
        body: { config: { ...config }, ...(soul !== undefined && { soul }) },
        idempotencyKey: requestKey(),
      });
    },
    onSuccess: async ({ message }) => {
      await queries.invalidateQueries();
      onDone(message);
    },
  });
  const address = problemOfAddress(connection.baseUrl);
  const problem = problemOfSetup(draft);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (problem === undefined) finish.mutate();
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <LocalServers
        onChoose={({ baseUrl, model }) => onChange({ ...draft, connection: { ...connection, baseUrl, model } })}
      />
      <ConnectionFields
        draft={connection}
        onChange={(next) => onChange({ ...draft, connection: next })}
        addressError={tried ? address : undefined}
      />
      <ModelChoice
        probe={probeOf(connection)}
        model={connection.model}
        disabled={address !== undefined}
        onChoose={(model) => onChange({ ...draft, connection: { ...connection, model } })}
      />
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <Button kind="primary" type="submit" busy={finish.isPending}>
          Finish
        </Button>
        <Button onClick={onBack}>Back</Button>
        {tried && problem !== undefined && address === undefined && <InlineError error={problem} />}
      </div>
      <WithoutModel onLeave={onLeave} />
      {finish.isPending && <p className="text-sm text-ink-soft">The model is asked once before anything is saved.</p>}
      {finish.error !== null && (
        <div className="flex flex-col gap-1">
          <InlineError error={finish.error} />
          <p className="text-sm text-ink-soft">Nothing was saved. Correct it and finish again, or skip for now.</p>
        </div>
      )}
    </form>
  );
}

function WithoutModel({ onLeave }: { readonly onLeave: () => void }): ReactElement {
  return (
    <p className="text-sm text-ink-soft">
      No model server at hand?{" "}
      <button type="button" className="text-accent underline underline-offset-2" onClick={onLeave}>
        Go on with the scripted model
      </button>
      . It talks to no network, and a model can be connected at any time.
    </p>
  );
}
