import type { ProviderPreset } from "@agent-service/operator-api/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { requestKey, useApi } from "../../api/index.ts";
import {
  type ConnectionDraft,
  ConnectionFields,
  ModelChoice,
  probeOf,
  problemOfAddress,
  TrialOutcome,
  useConnectionTest,
} from "../../connections/index.ts";
import { Button, focusInvalid, InlineError } from "../../ui/index.ts";
import { problemOfSetup, type SetupDraft, setupBody } from "./setup-draft.ts";

/** The key and the model of a provider, each tested when it is left; finishing saves everything. */
export function ConnectionStep({
  draft,
  preset,
  onChange,
  onBack,
  onDone,
}: {
  readonly draft: SetupDraft;
  readonly preset: ProviderPreset;
  readonly onChange: (draft: SetupDraft) => void;
  readonly onBack: () => void;
  /** Finishes the setup; with the service's result. */
  readonly onDone: (message: string) => void;
}): ReactElement {
  const { connection } = draft;
  const [submitted, setSubmitted] = useState(false);
  const test = useConnectionTest(probeOf(connection), connection.model, true);
  const finish = useFinish(draft, onDone);
  const needsKey = preset.place === "hosted";
  const change = (next: ConnectionDraft): void => onChange({ ...draft, connection: next });
  useListAtOnce(!needsKey && connection.baseUrl !== "", () => test.list());
  const missing = submitted ? problemOfSetup(draft) : undefined;
  const address = (submitted ? problemOfAddress(connection.baseUrl) : undefined) ?? test.problems.address;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    flushSync(() => setSubmitted(true));
    if (problemOfSetup(draft) !== undefined) {
      focusInvalid(form);
      return;
    }
    const outcome = await test.attempt().catch(() => undefined);
    // A model that cannot call tools can still talk; that is said, and is the person's choice.
    if (outcome?.answer?.ok === true) finish.mutate();
    else focusInvalid(form);
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {preset.note !== undefined && <p className="text-ink-soft">{preset.note}</p>}
      <ConnectionFields
        draft={connection}
        onChange={change}
        onLeave={() => (connection.apiKey.trim() !== "" || !needsKey) && test.list()}
        isKnown={needsKey}
        addressError={address}
        keyError={test.problems.key}
        keyHint={preset.keyPage !== undefined && <KeyPage name={preset.name} href={preset.keyPage} />}
      />
      <ModelChoice
        models={test.models}
        model={connection.model}
        reading={test.isListing}
        error={address === undefined && missing !== undefined ? missing : test.problems.model}
        onChoose={(model, isWhole) => {
          change({ ...connection, model });
          if (isWhole) void test.attempt(model).catch(() => undefined);
        }}
        onLeave={() => test.models === undefined && void test.attempt().catch(() => undefined)}
      />
      <TestOutcome test={test} />
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <Button kind="primary" type="submit" busy={finish.isPending || test.isTrying}>
          Start chatting
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
      {finish.error !== null && (
        <div className="flex flex-col gap-1">
          <InlineError error={finish.error} />
          <p className="text-sm text-ink-soft">Nothing was saved. Correct it and start again, or try the demo.</p>
        </div>
      )}
    </form>
  );
}

/** Asks a server that needs no key for its models at once, with what the tile filled in. */
function useListAtOnce(canAsk: boolean, list: () => void): void {
  const [isAsked] = useState(canAsk);
  useEffect(() => {
    if (isAsked) list();
    // Once: what is entered later is asked for when its field is left.
  }, [isAsked]);
}

/** How the model's test went, unless a field has the reason. */
function TestOutcome({ test }: { readonly test: ReturnType<typeof useConnectionTest> }): ReactElement {
  return (
    <>
      {test.isTrying && <p className="text-sm text-ink-soft">Testing one answer and one tool call…</p>}
      {test.outcome?.answer?.ok === true && test.trial !== undefined && <TrialOutcome trial={test.trial} />}
      {test.problems.other !== undefined && <InlineError error={test.problems.other} />}
      {test.error !== null && <InlineError error={test.error} />}
    </>
  );
}

function KeyPage({ name, href }: { readonly name: string; readonly href: string }): ReactElement {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 text-accent underline">
      Get a key from {name} <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}

function useFinish(draft: SetupDraft, onDone: (message: string) => void) {
  const { operator } = useApi();
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey: ["providers", "list"], queryFn: () => operator.get("/api/providers") });
  const taken = data?.providers.map(({ id }) => id) ?? [];
  return useMutation({
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
}
