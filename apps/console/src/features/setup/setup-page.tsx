import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { requestKey, useApi, useRuntimeStatus } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import { Button, classNames, failureOf, Page } from "../../ui/index.ts";
import { ConnectionStep } from "./connection-step.tsx";
import { PersonaStep } from "./persona-step.tsx";
import { EMPTY_SETUP, personaBody, type SetupDraft } from "./setup-draft.ts";
import { skippedSetup } from "./wants-setup.ts";

const STEPS = ["Welcome", "Name and persona", "Connection", "Done"] as const;

/** The wizard of the first run: name, persona and model. It can be left at every step. */
export function SetupPage(): ReactElement {
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<SetupDraft>(EMPTY_SETUP);
  const [done, setDone] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  // A new step starts at its top, also for screen readers.
  useEffect(() => {
    if (step > 0) heading.current?.focus();
  }, [step]);
  const leave = useLeave(draft);
  return (
    <Page
      title="Set up"
      actions={
        step < 3 && (
          <Button small busy={leave.isPending} onClick={() => leave.mutate()}>
            Skip, and try the scripted model
          </Button>
        )
      }
    >
      <div className="mx-auto flex max-w-xl flex-col gap-5 px-4 py-6">
        <ol className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {STEPS.map((name, index) => (
            <li
              key={name}
              aria-current={index === step ? "step" : undefined}
              className={classNames(index === step ? "font-semibold text-accent" : "text-ink-soft")}
            >
              {index + 1}. {name}
            </li>
          ))}
        </ol>
        <h2 ref={heading} tabIndex={-1} className="text-2xl font-semibold outline-none">
          {HEADINGS[step]}
        </h2>
        {step === 0 && <WelcomeStep onNext={() => setStep(1)} />}
        {step === 1 && (
          <PersonaStep draft={draft} onChange={setDraft} onBack={() => setStep(0)} onNext={() => setStep(2)} />
        )}
        {step === 2 && (
          <ConnectionStep
            draft={draft}
            onChange={setDraft}
            onBack={() => setStep(1)}
            onLeave={() => leave.mutate()}
            onDone={(message) => {
              setDone(message);
              setStep(3);
            }}
          />
        )}
        {step === 3 && <DoneStep message={done} />}
      </div>
    </Page>
  );
}

/** Leaves the wizard for the scripted model. An entered name or persona is saved. */
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

const HEADINGS: readonly string[] = ["Welcome", "Who is it?", "Which model answers?", "It is ready"];

function WelcomeStep({ onNext }: { readonly onNext: () => void }): ReactElement {
  const complete = useRuntimeStatus()?.setup_complete === true;
  return (
    <>
      <div className="flex flex-col gap-3 text-lg">
        <p>
          This is an agent of your own. You talk to it here, other programs and agents reach it over the network, and
          everything it does can be read afterwards, step by step.
        </p>
        <p>Two things make it yours: who it is, and which language model answers for it.</p>
        {complete && <p className="text-ink-soft">The agent is set up already. Finishing changes its configuration.</p>}
      </div>
      <div>
        <Button kind="primary" onClick={onNext}>
          Begin
        </Button>
      </div>
    </>
  );
}

function DoneStep({ message }: { readonly message: string }): ReactElement {
  const navigate = useNavigate();
  return (
    <>
      <p className="text-lg" role="status">
        {message}
      </p>
      <p className="text-ink-soft">
        Everything can be changed under Settings. What needs your approval shows up under Approvals, wherever the work
        came from.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onClick={() => void navigate({ to: "/" })}>
          Talk to it
        </Button>
        <Button onClick={() => void navigate({ to: "/settings/access" })}>Protect it with a token</Button>
      </div>
    </>
  );
}
