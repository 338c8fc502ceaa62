import { type FormEvent, type ReactElement, useState } from "react";
import { useNotices } from "../../notices/index.ts";
import { Button, TextField } from "../../ui/index.ts";
import type { Access } from "./access.ts";
import { AccessField } from "./access-field.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import { Refusal } from "./refusal.tsx";
import { useAddFolder, useNewProjects } from "./use-projects.ts";

/** Chooses a folder of this machine, a name and the access, and makes it a project. */
export function AddFolder({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { writes } = useNewProjects();
  const notify = useNotices();
  const add = useAddFolder();
  const [path, setPath] = useState<string>();
  const [name, setName] = useState("");
  const [chosen, choose] = useState<Access>();
  const access = chosen ?? (writes === true ? "write" : "read");
  const folder = path?.split("/").findLast(Boolean);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path === undefined) return;
    add.mutate(
      { path, name: name.trim(), access },
      {
        onSuccess: (project) => {
          notify({ text: `${project.name} is a project now.`, tone: "good" });
          onDone();
        },
      },
    );
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <FolderPicker onPath={setPath} />
      <TextField
        label="Name"
        hint="What the agent calls it. Blank: the folder's name."
        placeholder={folder ?? ""}
        maxLength={64}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <AccessField value={access} onChange={choose} among={["read", "keep", "write"]} />
      {add.error !== null && <Refusal error={add.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={add.isPending} disabled={path === undefined || folder === undefined}>
          <span className="max-w-64 truncate">Add {folder ?? "the folder"}</span>
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
