import { type FormEvent, type ReactElement, useState } from "react";
import { Button, TextField } from "../../ui/index.ts";
import { ACCESS, accessOf, type Project } from "./access.ts";
import { AccessField } from "./access-field.tsx";
import { Refusal } from "./refusal.tsx";
import { useEditProject } from "./use-projects.ts";

/** Changes what the agent may do in a project, and what it knows of its repository. */
export function EditProject({
  project,
  onDone,
}: {
  readonly project: Project;
  readonly onDone: () => void;
}): ReactElement {
  const [access, setAccess] = useState(accessOf(project));
  const [repository, setRepository] = useState(project.scm_repo);
  const [branch, setBranch] = useState(project.default_branch);
  const edit = useEditProject(project.name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const texts = { scm_repo: repository.trim(), default_branch: branch.trim() };
    edit.mutate({ access, ...texts }, { onSuccess: onDone });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <p className="font-mono text-sm break-all text-ink-soft">{project.path}</p>
      <AccessField value={access} onChange={setAccess} among={ACCESS.map(({ value }) => value)} />
      <TextField
        label="Repository"
        hint="owner/name on the code host, for the agent to know. Optional."
        placeholder="owner/name"
        maxLength={200}
        value={repository}
        onChange={({ target }) => setRepository(target.value)}
      />
      <TextField
        label="Default branch"
        hint="The branch that work starts from."
        maxLength={200}
        required
        value={branch}
        onChange={({ target }) => setBranch(target.value)}
      />
      {edit.error !== null && <Refusal error={edit.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={edit.isPending}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
