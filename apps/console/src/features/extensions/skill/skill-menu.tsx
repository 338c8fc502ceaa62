import { Ellipsis, Share2, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { Menu } from "../../../menu/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, Dialog, failureOf, InlineError } from "../../../ui/index.ts";
import type { Skill } from "./skill-types.ts";
import { useSkillChange } from "./use-skills.ts";

/** What is done with a skill of one's own as a whole. */
export function SkillMenu({
  skill: { name, promotable },
  onRemoved,
}: {
  readonly skill: Skill;
  readonly onRemoved?: () => void;
}): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const [removing, setRemoving] = useState(false);
  const params = { skill_id: name };
  const promote = useSkillChange(() => operator.post("/api/playbooks/{skill_id}/promote", { params }));
  const share = (): void =>
    promote.mutate(undefined, {
      onSuccess: () => void notify({ text: `The agents of this machine share ${name} now.`, tone: "good" }),
      onError: (error) => void notify({ text: failureOf(error).message, tone: "bad" }),
    });
  return (
    <>
      <Menu
        label={`Actions of ${name}`}
        icon={Ellipsis}
        actions={[
          ...(promotable ? [{ label: "Share on this machine", icon: Share2, run: share }] : []),
          { label: "Delete", icon: Trash2, run: () => setRemoving(true), danger: true },
        ]}
      />
      <Dialog open={removing} onOpenChange={setRemoving} title={`Delete ${name}?`}>
        <RemoveSkill name={name} onClose={() => setRemoving(false)} {...(onRemoved && { onRemoved })} />
      </Dialog>
    </>
  );
}

function RemoveSkill({
  name,
  onClose,
  onRemoved,
}: {
  readonly name: string;
  readonly onClose: () => void;
  readonly onRemoved?: () => void;
}): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const remove = useSkillChange(() => operator.delete("/api/playbooks/{skill_id}", { params: { skill_id: name } }));
  const act = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify({ text: `${name} is deleted.`, tone: "plain" });
        onClose();
        onRemoved?.();
      },
    });
  return (
    <div className="flex flex-col gap-4">
      <p>The agent does not know it from the next turn on. Its versions stay, and other files in its folder too.</p>
      {remove.error !== null && <InlineError error={remove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={remove.isPending} onClick={act}>
          Delete it
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </div>
  );
}
