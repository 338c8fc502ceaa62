import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { PartPage } from "../../../parts/index.ts";
import { Button, Dialog, EmptyState, ErrorState, SkeletonRows } from "../../../ui/index.ts";
import { EXTENSION_PARTS } from "../extension-parts.ts";
import { NewSkill } from "./new-skill.tsx";
import { SkillMenu } from "./skill-menu.tsx";
import type { Skill } from "./skill-types.ts";
import { skillFacts } from "./skill-words.ts";
import { useSkills } from "./use-skills.ts";

/** The skills, with the way to make one. */
export function SkillsPage(): ReactElement {
  const { data, error, refetch } = useSkills();
  const [open, setOpen] = useState(false);
  const make = (
    <Button small kind="primary" onClick={() => setOpen(true)}>
      New skill
    </Button>
  );
  return (
    <PartPage title="Extensions" parts={EXTENSION_PARTS} actions={data !== undefined && data.length > 0 && make}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {data === undefined && error === null && <SkeletonRows rows={4} />}
        {data === undefined && error !== null && (
          <ErrorState title="The skills cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {data?.length === 0 && (
          <EmptyState drawing="agents" title="No skills yet" action={make}>
            Instructions for kinds of work appear here: those that you write, and those that the agent saves.
          </EmptyState>
        )}
        {data !== undefined && data.length > 0 && (
          <>
            <p className="pt-4 text-ink-soft">
              Instructions for kinds of work. The agent is shown their descriptions, and reads one when it fits.
            </p>
            <ul aria-label="Skills" className="divide-y divide-line">
              {data.map((skill) => (
                <SkillRow key={skill.id} skill={skill} />
              ))}
            </ul>
          </>
        )}
      </div>
      <Dialog open={open} onOpenChange={setOpen} title="New skill" sheet>
        <NewSkill onDone={() => setOpen(false)} />
      </Dialog>
    </PartPage>
  );
}

function SkillRow({ skill }: { readonly skill: Skill }): ReactElement {
  const { name, description, fault, editable } = skill;
  return (
    <li className="flex items-start gap-3 py-3.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2 className="min-w-0 font-medium break-all">
          <Link
            to="/extensions/skills/$skill"
            params={{ skill: name }}
            className="underline-offset-2 hover:text-accent hover:underline"
          >
            {name}
          </Link>
        </h2>
        {fault === null ? (
          <p className="line-clamp-2 break-words">{description}</p>
        ) : (
          <p className="text-sm text-bad">It does nothing: {fault}.</p>
        )}
        <p className="text-sm text-ink-soft">{skillFacts(skill)}</p>
      </div>
      {editable && <SkillMenu skill={skill} />}
    </li>
  );
}
