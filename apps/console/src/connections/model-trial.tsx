import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import type { ReactElement } from "react";
import { useApi } from "../api/index.ts";
import { duration, InlineError } from "../ui/index.ts";
import type { Probe } from "./connection-draft.ts";

type Trial = AnswerOf<Extract<OperatorDefinition, { readonly name: "config.test-model" }>>;
type Listing = AnswerOf<Extract<OperatorDefinition, { readonly name: "config.models" }>>;

/** Asks a connection's server which models it has. */
export function useModelListing(): UseMutationResult<Listing, Error, Probe> {
  const { operator } = useApi();
  return useMutation({ mutationFn: (probe: Probe) => operator.post("/api/config/models", { body: { ...probe } }) });
}

/** Tests a model with one answer and one tool call. */
export function useModelTrial(): UseMutationResult<Trial, Error, Probe & { readonly model: string }> {
  const { operator } = useApi();
  return useMutation({
    mutationFn: (probe: Probe & { readonly model: string }) =>
      operator.post("/api/config/test-model", { body: { ...probe } }),
  });
}

/** The result of a test: which part worked, how long it took, and why the other failed. */
export function TrialOutcome({ trial }: { readonly trial: ReturnType<typeof useModelTrial> }): ReactElement | null {
  if (trial.error !== null) return <InlineError error={trial.error} />;
  if (trial.data === undefined) return null;
  const { answer, tool_call: toolCall, error } = trial.data;
  return (
    <div role="status" className="flex flex-col gap-1 text-sm">
      {answer === null ? (
        <Part name="Answer" ok={false} detail={error} />
      ) : (
        <Part name="Answer" {...resultOf(answer)} />
      )}
      {toolCall !== null && <Part name="Tool call" {...resultOf(toolCall)} />}
    </div>
  );
}

function resultOf({ ok, error, ms }: { readonly ok: boolean; readonly error: string; readonly ms: number }) {
  return { ok, detail: ok ? duration(ms) : error };
}

function Part({
  name,
  ok,
  detail,
}: {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}): ReactElement {
  const Icon = ok ? CircleCheck : CircleX;
  return (
    <p className="flex items-start gap-1.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${ok ? "text-good" : "text-bad"}`} />
      <span>
        <span className="font-medium">
          {name} {ok ? "works" : "failed"}
        </span>{" "}
        <span className="text-ink-soft">{detail}</span>
      </span>
    </p>
  );
}
