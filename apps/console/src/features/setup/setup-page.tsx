import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { requestKey, useApi, useRuntimeStatus } from "../../api/index.ts";
import { type ChosenProvider, EMPTY_CONNECTION, ProviderTiles } from "../../connections/index.ts";
import { AgentFigure } from "../../identity/index.ts";
import { useNotices } from "../../notices/index.ts";
import { Button, failureOf, Page } from "../../ui/index.ts";
import { ConnectionStep } from "./connection-step.tsx";
import { PersonaStep } from "./persona-step.tsx";
import { EMPTY_SETUP, personaBody, type SetupDraft } from "./setup-draft.ts";
import { skippedSetup } from "./wants-setup.ts";

/** The wizard of the first run: who it is, who provides its models, and which model. It can be left at every step. */
export function SetupPage(): ReactElement {
  const [named, setNamed] = useState(false);
  const [provider, setProvider] = useState<ChosenProvider>();
  const [draft, setDraft] = useState<SetupDraft>(EMPTY_SETUP);
  const heading = useRef<HTMLHeadingElement>(null);
  const agentName = useRuntimeStatus()?.identity.name ?? "Agent";
  const name = draft.name.trim() || agentName;
  const navigate = useNavigate();
  const notify = useNotices();
  const leave = useLeave(draft);
  const step = !named ? 0 : provider === undefined ? 1 : 2;
  // A new step starts at its top, also for screen readers.
  const seen = useRef(step);
  useEffect(() => {
    if (seen.current !== step) heading.current?.focus();
    seen.current = step;
  }, [step]);
  const choose = (chosen: ChosenProvider): void => {
    const { baseUrl, model } = chosen;
    setDraft({ ...draft, connection: { ...EMPTY_CONNECTION, baseUrl, model } });
    setProvider(chosen);
  };
  return (
    <Page
      title="Set up"
      actions={
        <Button small kind="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
          Skip, and try the demo
        </Button>
      }
    >
      <div className="mx-auto flex max-w-[35rem] flex-col gap-6 px-4 py-8">
        <div className="flex items-center gap-5">
          <AgentFigure name={name} withInitial className={step === 0 ? "size-24" : "size-16"} />
          <div className="flex min-w-0 flex-col gap-1">
            <p className="text-sm text-ink-soft">Step {step + 1} of 3</p>
            <h2 ref={heading} tabIndex={-1} className="font-display text-2xl font-semibold outline-none wrap-anywhere">
              {step === 0 ? "Who is it?" : step === 1 ? `Who answers for ${name}?` : `Connect ${nameOf(provider)}`}
            </h2>
          </div>
        </div>
        {step === 0 && (
          <>
            <Promises />
            <PersonaStep draft={draft} onChange={setDraft} onNext={() => setNamed(true)} />
          </>
        )}
        {step === 1 && (
          <>
            <ProviderTiles onChoose={choose} onDemo={() => leave.mutate()} />
            <div>
              <Button onClick={() => setNamed(false)}>Back</Button>
            </div>
          </>
        )}
        {provider !== undefined && step === 2 && (
          <ConnectionStep
            draft={draft}
            preset={provider.preset}
            onChange={setDraft}
            onBack={() => setProvider(undefined)}
            onDone={(text) => {
              notify({ text, tone: "good" });
              void navigate({ to: "/" });
            }}
          />
        )}
      </div>
    </Page>
  );
}

function nameOf(provider: ChosenProvider | undefined): string {
  if (provider === undefined || provider.preset.place === "own") return "a model server";
  return provider.preset.name;
}

/** What the product is for, before anything is asked. */
function Promises(): ReactElement {
  return (
    <ul className="flex flex-col gap-1 text-lg">
      <li>It works while you look elsewhere, and asks when it needs you.</li>
      <li>Nothing it was told is lost, and nothing is done twice.</li>
      <li>Every answer can be read back, step by step.</li>
    </ul>
  );
}

/** Leaves the wizard for the demo. An entered name or persona is saved. */
function useLeave(draft: SetupDraft) {
  const { operator } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotices();
  return useMutation({
    mutationFn: async () => {
      const { config, soul } = personaBody(draft);
      if (Object.keys(config).length === 0 && soul === undefined) return;
      await operator.post("/api/config", {
        body: { config: { ...config }, ...(soul !== undefined && { soul }) },
        idempotencyKey: requestKey(),
      });
      await queries.invalidateQueries();
    },
    onSuccess: () => {
      skippedSetup(window).write("yes");
      void navigate({ to: "/" });
    },
    onError: (error) =>
      notify({ text: `The name and persona were not saved: ${failureOf(error).message}`, tone: "bad" }),
  });
}
