import type { ReactElement } from "react";
import { useNotices } from "../../notices/index.ts";
import { Button } from "../../ui/index.ts";
import type { Project } from "./access.ts";
import { Refusal } from "./refusal.tsx";
import { useRemoveProject } from "./use-projects.ts";

/** Asks before a project is taken out of the list; its folder stays. */
export function RemoveProject({
  project: { name, path, exists },
  onDone,
}: {
  readonly project: Project;
  readonly onDone: () => void;
}): ReactElement {
  const remove = useRemoveProject(name);
  const notify = useNotices();
  // The list is read again before the change has ended, and may have taken this dialog away: callbacks of the mutation are not called then.
  const act = (): void =>
    void remove.mutateAsync().then(
      () => {
        notify({ text: `${name} is no project any more.`, tone: "plain" });
        onDone();
      },
      // What fails is shown by the mutation itself.
      () => {},
    );
  return (
    <div className="flex flex-col gap-4">
      <p>
        The agent no longer reaches it.{" "}
        {exists && (
          <>
            The folder <code className="break-all">{path}</code> stays as it is, with everything in it.
          </>
        )}
      </p>
      {remove.error !== null && <Refusal error={remove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={remove.isPending} onClick={act}>
          Remove from the list
        </Button>
        <Button onClick={onDone}>Keep it</Button>
      </div>
    </div>
  );
}
