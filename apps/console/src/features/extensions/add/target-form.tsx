import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, Choices, InlineError, TextArea, TextField } from "../../../ui/index.ts";
import { sentence } from "../server/server-state.ts";
import { useServerChange } from "../use-servers.ts";
import { bodyOf, EMPTY_DRAFT, type TargetDraft } from "./target-draft.ts";

/** Adds a program or a service; it can be tried before it is saved. */
export function TargetForm({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const [draft, setDraft] = useState<TargetDraft>(EMPTY_DRAFT);
  const set = (change: Partial<TargetDraft>): void => {
    setDraft({ ...draft, ...change });
    trial.reset();
  };
  const { name: _, ...target } = bodyOf(draft);
  const trial = useServerChange(() => operator.post("/api/mcp/servers/test", { body: target }));
  const add = useServerChange(() => operator.post("/api/mcp/servers", { body: bodyOf(draft) }));
  const isProgram = draft.kind === "program";
  const hasTarget = (isProgram ? draft.command : draft.url).trim() !== "";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(undefined, {
      onSuccess: ({ name }) => {
        notify({ text: `${name} is added.`, tone: "good" });
        onDone();
      },
    });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Choices
        label="What it is"
        options={[
          { value: "program", label: "A program" },
          { value: "service", label: "A service over HTTP" },
        ]}
        value={draft.kind}
        onChange={(kind) => set({ kind })}
      />
      <TextField
        label="Name"
        hint="Small letters, digits and hyphens. Its tools begin with it."
        maxLength={32}
        value={draft.name}
        onChange={({ target: { value } }) => set({ name: value })}
      />
      {isProgram ? (
        <>
          <TextField
            label="Command"
            hint="Started without a shell."
            placeholder="npx"
            className="font-mono text-sm"
            spellCheck={false}
            value={draft.command}
            onChange={({ target: { value } }) => set({ command: value })}
          />
          <TextArea
            label="Arguments (optional)"
            hint="One on each line."
            rows={3}
            className="font-mono text-sm"
            spellCheck={false}
            value={draft.args}
            onChange={({ target: { value } }) => set({ args: value })}
          />
        </>
      ) : (
        <TextField
          label="Address"
          type="url"
          placeholder="https://docs.example/mcp"
          value={draft.url}
          onChange={({ target: { value } }) => set({ url: value })}
        />
      )}
      <TextArea
        label={isProgram ? "Environment (optional)" : "Headers (optional)"}
        hint={
          isProgram
            ? "One on each line: NAME=value. Values are kept as secrets."
            : "One on each line: Name: value. Values are kept as secrets."
        }
        rows={2}
        className="font-mono text-sm"
        spellCheck={false}
        autoComplete="off"
        value={draft.secrets}
        onChange={({ target: { value } }) => set({ secrets: value })}
      />
      {trial.error !== null && <InlineError error={trial.error} />}
      {add.error !== null && <InlineError error={add.error} />}
      {trial.data?.ok === false && (
        <p role="alert" className="text-sm text-bad">
          {sentence(trial.data.error ?? "It did not answer")}
        </p>
      )}
      {trial.data?.ok === true && (
        <section aria-label="What it brings" role="status" className="text-sm">
          <h3 className="font-medium text-good">It answers, and brings {trial.data.tools.length} definitions</h3>
          <ul className="max-h-60 overflow-y-auto text-ink-soft">
            {trial.data.tools.map(({ kind, name, description }) => (
              <li key={`${kind} ${name}`}>
                <code className="font-semibold text-ink">{name}</code> {description}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={add.isPending} disabled={!hasTarget || draft.name.trim() === ""}>
          Add it
        </Button>
        <Button busy={trial.isPending} disabled={!hasTarget} onClick={() => trial.mutate(undefined)}>
          Test it
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
