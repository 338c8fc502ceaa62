import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useMemo } from "react";
import { useApi } from "../../../api/index.ts";
import { type Entries, FormControls, formFields } from "../../../prompts/index.ts";
import { SelectField, TextArea, TextField } from "../../../ui/index.ts";
import { CHECK_KINDS, type CheckDraft, type CheckKind } from "./goal-draft.ts";

/** Reads the checks that have a name, with fields for the arguments of the one that is chosen. */
export function useNamedChecks(name: string) {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["verifiers"],
    queryFn: () => operator.get("/api/verifiers"),
  });
  const verifiers = data?.verifiers ?? [];
  const chosen = verifiers.find((one) => one.name === name);
  const fields = useMemo(() => (chosen === undefined ? [] : formFields(chosen.args)), [chosen]);
  return { verifiers, chosen, fields };
}

export type NamedChecks = ReturnType<typeof useNamedChecks>;

interface CheckFieldsProps {
  readonly check: CheckDraft;
  readonly onChange: (check: CheckDraft) => void;
}

/** How a goal is checked. */
export function GoalCheckFields({
  check,
  onChange,
  named,
  entries,
  problems,
  onEntries,
}: CheckFieldsProps & {
  readonly named: NamedChecks;
  readonly entries: Entries;
  readonly problems: ReadonlyMap<string, string>;
  readonly onEntries: (entries: Entries) => void;
}): ReactElement {
  const { kind } = check;
  const inFolder = kind !== "judge" && kind !== "named";
  return (
    <>
      <SelectField
        label="How it is checked"
        hint={
          kind === "judge"
            ? "From what the tools answered; what the agent says of itself does not count. It costs a call of a model."
            : undefined
        }
        value={kind}
        onChange={({ target }) => onChange({ ...check, kind: target.value as CheckKind })}
      >
        {CHECK_KINDS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {(kind === "test" || kind === "command") && <CommandFields check={check} onChange={onChange} />}
      {kind === "data" && <DataFields check={check} onChange={onChange} />}
      {kind === "ci" && <CiFields check={check} onChange={onChange} />}
      {kind === "named" && (
        <>
          <SelectField
            label="Check"
            hint={named.chosen?.description}
            required
            value={check.named}
            onChange={({ target }) => onChange({ ...check, named: target.value })}
          >
            <option value="">Choose one</option>
            {named.verifiers.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
          <FormControls fields={named.fields} entries={entries} problems={problems} onChange={onEntries} />
        </>
      )}
      {inFolder && kind !== "ci" && (
        <TextArea
          label="Files that must not change"
          hint="One on each line, such as the tests. While one is not what it is now, the goal is not met."
          rows={2}
          className="font-mono text-sm"
          spellCheck={false}
          value={check.pins}
          onChange={({ target }) => onChange({ ...check, pins: target.value })}
        />
      )}
      {inFolder && <ProjectField check={check} onChange={onChange} />}
    </>
  );
}

function CommandFields({ check, onChange }: CheckFieldsProps): ReactElement {
  return (
    <TextField
      label={check.kind === "test" ? "Command that runs the tests" : "Command"}
      hint={check.kind === "test" ? "At least one test has to run." : undefined}
      required
      maxLength={32_768}
      className="font-mono text-sm"
      spellCheck={false}
      placeholder={check.kind === "test" ? "node --test" : undefined}
      value={check.command}
      onChange={({ target }) => onChange({ ...check, command: target.value })}
    />
  );
}

function DataFields({ check, onChange }: CheckFieldsProps): ReactElement {
  return (
    <>
      <TextField
        label="Path of the file"
        required
        maxLength={4_096}
        className="font-mono text-sm"
        value={check.path}
        onChange={({ target }) => onChange({ ...check, path: target.value })}
      />
      <div className="grid gap-4 list:grid-cols-2">
        <TextField
          label="Text it holds"
          maxLength={8_192}
          value={check.contains}
          onChange={({ target }) => onChange({ ...check, contains: target.value })}
        />
        <TextField
          label="Or an expression over its JSON"
          hint="JSONata, such as open = 0."
          maxLength={8_192}
          className="font-mono text-sm"
          value={check.expr}
          onChange={({ target }) => onChange({ ...check, expr: target.value })}
        />
      </div>
    </>
  );
}

function CiFields({ check, onChange }: CheckFieldsProps): ReactElement {
  return (
    <div className="grid gap-4 list:grid-cols-2">
      <TextField
        label="Pull request or branch"
        hint="A number, or a name."
        required
        maxLength={255}
        value={check.of}
        onChange={({ target }) => onChange({ ...check, of: target.value })}
      />
      <TextField
        label="Repository"
        hint="Blank: that of the folder."
        placeholder="owner/name"
        maxLength={255}
        value={check.repo}
        onChange={({ target }) => onChange({ ...check, repo: target.value })}
      />
    </div>
  );
}

function ProjectField({ check, onChange }: CheckFieldsProps): ReactElement {
  const { operator } = useApi();
  const { data } = useQuery({ queryKey: ["projects"], queryFn: () => operator.get("/api/projects") });
  return (
    <SelectField
      label="Project"
      value={check.project}
      onChange={({ target }) => onChange({ ...check, project: target.value })}
    >
      <option value="">The first one</option>
      {(data?.projects ?? []).map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
