import { Ellipsis, Share2, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { Menu } from "../../../menu/index.ts";
import { ConfirmRemoval, useNotices } from "../../../notices/index.ts";
import { Dialog, failureOf } from "../../../ui/index.ts";
import type { Skill } from "./skill-types.ts";
import { useRemoveSkill, useSkillChange } from "./use-skills.ts";

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
  const remove = useRemoveSkill(name);
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
        <ConfirmRemoval
          removal={remove}
          text="The agent does not know it from the next turn on. Its versions stay, and other files in its folder too."
          action="Delete it"
          done={`${name} is deleted.`}
          onClose={() => setRemoving(false)}
          {...(onRemoved && { onRemoved })}
        />
      </Dialog>
    </>
  );
}
