import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Markdown } from "../../../markdown/index.ts";
import { useSearchValue } from "../../../parts/index.ts";
import { bytes, Choices, CopyButton, ErrorState, Page, ScrollRegion, SkeletonRows } from "../../../ui/index.ts";
import { EditSkill } from "./edit-skill.tsx";
import { SkillMenu } from "./skill-menu.tsx";
import type { SkillDetail } from "./skill-types.ts";
import { SkillVersions } from "./skill-versions.tsx";
import { skillFacts } from "./skill-words.ts";
import { useSkill } from "./use-skills.ts";

/** A skill: what it says, its editor, and its versions. */
export function SkillPage(): ReactElement {
  const { skill: name = "" } = useParams({ strict: false });
  const { data, error, refetch } = useSkill(name);
  const navigate = useNavigate();
  const back = (
    <Link to="/extensions/skills" className="text-sm text-accent underline">
      All skills
    </Link>
  );
  return (
    <Page
      title={name}
      lead={back}
      actions={
        data?.editable === true && (
          <SkillMenu skill={data} onRemoved={() => void navigate({ to: "/extensions/skills" })} />
        )
      }
    >
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {data === undefined && error === null && <SkeletonRows />}
        {data === undefined && error !== null && (
          <ErrorState title="This skill cannot be read" error={error} onRetry={() => void refetch()} back={back} />
        )}
        {data !== undefined && <SkillViews skill={data} />}
      </div>
    </Page>
  );
}

const READ = { value: "read", label: "Read" } as const;
const EDIT = { value: "edit", label: "Edit" } as const;
const VERSIONS = { value: "versions", label: "Versions" } as const;

function SkillViews({ skill }: { readonly skill: SkillDetail }): ReactElement {
  const [chosen, choose] = useSearchValue("view");
  const views = skill.editable ? (skill.fault === null ? [READ, EDIT, VERSIONS] : [READ, VERSIONS]) : [READ];
  const view = views.find(({ value }) => value === chosen)?.value ?? "read";
  return (
    <>
      <div className="flex flex-col gap-2 py-4">
        <p className="text-sm text-ink-soft">{skillFacts(skill)}</p>
        {skill.fault !== null && <p className="text-bad">It does nothing: {skill.fault}.</p>}
        <p className="break-words">{skill.description}</p>
        {skill.tools_used.length > 0 && (
          <p className="text-sm text-ink-soft">Works with {skill.tools_used.join(", ")}</p>
        )}
      </div>
      {views.length > 1 && (
        <div className="border-y border-line py-2">
          <Choices label="What is shown" options={views} value={view} onChange={choose} />
        </div>
      )}
      {view === "read" && <SkillText skill={skill} />}
      {view === "edit" && <EditSkill key={skill.changed_at} skill={skill} onDone={() => choose("read")} />}
      {view === "versions" && <SkillVersions name={skill.name} mayChange={skill.editable} />}
    </>
  );
}

function SkillText({
  skill: { name, fault, text, prompt_template: body, files },
}: {
  readonly skill: SkillDetail;
}): ReactElement {
  return (
    <div className="flex flex-col gap-4 py-4">
      <h2 className="sr-only">Instructions</h2>
      <div className="self-end">
        <CopyButton text={text} label="Copy its file" showLabel />
      </div>
      {fault === null ? (
        <Markdown text={body} />
      ) : (
        <ScrollRegion label={`File of ${name}`} className="max-h-[60vh] overflow-auto rounded-md bg-sunken p-3">
          <pre className="text-sm whitespace-pre-wrap">{text}</pre>
        </ScrollRegion>
      )}
      {files.length > 0 && (
        <section aria-label="Files">
          <h2 className="font-medium">Files</h2>
          <ul className="text-sm text-ink-soft">
            {files.map((file) => (
              <li key={file.path} className="break-all">
                {file.path} · {bytes(file.bytes)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
