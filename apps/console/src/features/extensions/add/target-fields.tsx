import type { ReactElement } from "react";
import { Choices, TextArea, TextField } from "../../../ui/index.ts";
import type { TargetDraft } from "./target-draft.ts";

/** The fields of a server that is added by hand, or `isSaved` and changed. */
export function TargetFields({
  draft,
  onChange,
  isSaved = false,
}: {
  readonly draft: TargetDraft;
  readonly onChange: (change: Partial<TargetDraft>) => void;
  readonly isSaved?: boolean;
}): ReactElement {
  const isProgram = draft.kind === "program";
  return (
    <>
      {!isSaved && (
        <Choices
          label="What it is"
          options={[
            { value: "program", label: "A program" },
            { value: "service", label: "A service over HTTP" },
          ]}
          value={draft.kind}
          onChange={(kind) => onChange({ kind })}
        />
      )}
      {!isSaved && (
        <TextField
          label="Name"
          hint="Small letters, digits and hyphens. The names of its tools begin with it."
          maxLength={32}
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
      {isProgram ? (
        <ProgramFields draft={draft} onChange={onChange} />
      ) : (
        <TextField
          label="Address"
          {...(isSaved && { hint: "At another address its stored values must be given again." })}
          type="url"
          placeholder="https://docs.example/mcp"
          value={draft.url}
          onChange={({ target }) => onChange({ url: target.value })}
        />
      )}
      <TextArea
        label={isProgram ? "Environment (optional)" : "Headers (optional)"}
        hint={`One on each line, as ${isProgram ? "NAME=value" : "Name: value"}. Values are kept as secrets${isSaved ? "; what stands as a placeholder stays" : ""}.`}
        rows={2}
        className="font-mono text-sm"
        spellCheck={false}
        autoComplete="off"
        value={draft.secrets}
        onChange={({ target }) => onChange({ secrets: target.value })}
      />
    </>
  );
}

function ProgramFields({
  draft,
  onChange,
}: {
  readonly draft: TargetDraft;
  readonly onChange: (change: Partial<TargetDraft>) => void;
}): ReactElement {
  return (
    <>
      <TextField
        label="Command"
        hint="Started without a shell."
        placeholder="npx"
        className="font-mono text-sm"
        spellCheck={false}
        value={draft.command}
        onChange={({ target }) => onChange({ command: target.value })}
      />
      <TextArea
        label="Arguments (optional)"
        hint="One on each line."
        rows={3}
        className="font-mono text-sm"
        spellCheck={false}
        value={draft.args}
        onChange={({ target }) => onChange({ args: target.value })}
      />
    </>
  );
}
