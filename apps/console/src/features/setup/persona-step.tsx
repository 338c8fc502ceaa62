import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi, useRuntimeStatus } from "../../api/index.ts";
import { Button, InlineError, TextArea, TextField } from "../../ui/index.ts";
import type { SetupDraft } from "./setup-draft.ts";

/** The agent's name, and a bundled persona or one's own. */
export function PersonaStep({
  draft,
  onChange,
  onNext,
}: {
  readonly draft: SetupDraft;
  readonly onChange: (draft: SetupDraft) => void;
  readonly onNext: () => void;
}): ReactElement {
  const { operator } = useApi();
  const name = useRuntimeStatus()?.identity.name;
  const { data } = useQuery({
    queryKey: ["config", "setup-status"],
    queryFn: () => operator.get("/api/config/setup-status"),
  });
  const read = useMutation({
    mutationFn: (preset: string) => operator.get("/api/config/presets/{name}", { params: { name: preset } }),
    onSuccess: ({ content }) => onChange({ ...draft, soul: content }),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onNext();
      }}
    >
      <TextField
        label="Name"
        placeholder={name}
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <fieldset className="flex flex-wrap gap-2">
        <legend className="pb-1 text-sm font-medium">Start from a template</legend>
        {data?.presets.map((preset) => (
          <Button
            key={preset}
            small
            aria-pressed={read.data?.name === preset && read.data.content === draft.soul}
            className="aria-pressed:border-accent aria-pressed:text-accent"
            onClick={() => read.mutate(preset)}
          >
            {preset.charAt(0).toUpperCase() + preset.slice(1)}
          </Button>
        ))}
      </fieldset>
      {read.error !== null && <InlineError error={read.error} />}
      <details className="rounded-md border border-line px-3 py-2">
        <summary className="cursor-pointer text-sm font-medium">
          {draft.soul.trim() === "" ? "Write its persona yourself" : "Its persona"}
        </summary>
        <div className="pt-2">
          <TextArea
            label="Persona"
            rows={10}
            className="font-mono text-sm"
            hint="Instructions at the beginning of every conversation. Leave it blank to keep the current one."
            value={draft.soul}
            onChange={(event) => onChange({ ...draft, soul: event.target.value })}
          />
        </div>
      </details>
      <div>
        <Button kind="primary" type="submit">
          Next
        </Button>
      </div>
    </form>
  );
}
