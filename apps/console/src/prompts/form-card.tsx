import { type FormEvent, type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { Button, focusInvalid, InlineError } from "../ui/index.ts";
import { DeclineForm } from "./decline-form.tsx";
import { FormControls } from "./form-controls.tsx";
import { formFields } from "./form-fields.ts";
import { type Entries, fieldInReason, nameOf, readStep, type StepAnswer } from "./form-values.ts";
import type { PromptOf, WaitingPrompt } from "./prompt.ts";
import { Said } from "./said.tsx";
import { useDecide } from "./use-decide.ts";

/** Asks a person to fill in a form of one or more steps (A13). Problems are shown beside their field. */
export function FormCard({
  prompt,
  payload,
}: {
  readonly prompt: WaitingPrompt;
  readonly payload: PromptOf<"form">;
}): ReactElement {
  const decide = useDecide(prompt.id);
  const steps = useMemo(() => payload.steps.map(({ schema }) => formFields(schema)), [payload.steps]);
  const [at, setAt] = useState(0);
  const [entries, setEntries] = useState<readonly Entries[]>(() => steps.map(() => new Map()));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const form = useRef<HTMLFormElement>(null);
  useFirstProblem(form, problems);

  const go = (to: number): void => {
    setAt(to);
    setProblems(new Map());
    form.current?.querySelector<HTMLElement>("[data-step]")?.focus();
  };
  const refuse = (step: number, found: ReadonlyMap<string, string>): void => {
    setAt(step);
    setProblems(found);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const answers = steps.map((fields, index) => readStep(fields, entries[index] ?? new Map()));
    const upTo = answers.slice(0, at + 1).findIndex(({ ok }) => !ok);
    const wrong = answers[upTo];
    if (wrong !== undefined && !wrong.ok) refuse(upTo, wrong.problems);
    else if (at < steps.length - 1) go(at + 1);
    else
      decide.mutate({ decision: "answer", answer: answerOf(answers) }, { onError: (error) => readBack(error.message) });
  };
  const readBack = (reason: string): void => {
    const found = fieldInReason(reason);
    const known = found !== undefined && steps[found.step]?.some((field) => nameOf(field) === found.name);
    if (known) refuse(found.step, new Map([[found.name, found.problem]]));
  };
  const step = payload.steps[at];
  return (
    <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <div>
        <h2 className="font-semibold">{payload.title}</h2>
        <Said text={payload.description} />
      </div>
      <div tabIndex={-1} data-step className="flex flex-col gap-3 outline-none">
        {(steps.length > 1 || step?.title !== undefined) && (
          <p className="text-sm font-medium">
            {steps.length > 1 && <span className="text-ink-soft">{`Step ${at + 1} of ${steps.length} `}</span>}
            {step?.title}
          </p>
        )}
        {step?.description !== undefined && <p className="text-sm text-ink-soft">{step.description}</p>}
        <FormControls
          fields={steps[at] ?? []}
          entries={entries[at] ?? new Map()}
          problems={problems}
          onChange={(next) => setEntries(entries.map((one, index) => (index === at ? next : one)))}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        {at > 0 && <Button onClick={() => go(at - 1)}>Back</Button>}
        <Button kind="primary" type="submit" busy={decide.isPending}>
          {at < steps.length - 1 ? "Next" : "Send"}
        </Button>
        <DeclineForm
          busy={decide.isPending}
          onDecline={(note) => decide.mutate({ decision: "decline", ...(note !== "" && { note }) })}
        />
      </div>
      {decide.error !== null && problems.size === 0 && <InlineError error={decide.error} />}
    </form>
  );
}

/** The values of a single step, or a list of each step's, so that steps may have fields of the same name. */
function answerOf(answers: readonly StepAnswer[]): unknown {
  const values = answers.map((answer) => (answer.ok ? answer.values : {}));
  return values.length === 1 ? values[0] : values;
}

/** Moves the focus to the first field with a problem. */
function useFirstProblem(
  form: { readonly current: HTMLFormElement | null },
  problems: ReadonlyMap<string, string>,
): void {
  useEffect(() => {
    if (problems.size > 0 && form.current !== null) focusInvalid(form.current);
  }, [form, problems]);
}
