/** Checks of the skills, as the running service knows them. */
import type { CommandContext } from "../command.ts";
import type { Finding, ReportFinding } from "../finding.ts";

const about = "skills";

/** A skill as the operator API lists it: what is looked at. */
export interface ListedSkill {
  readonly name: string;
  readonly origin: string;
  readonly fault: string | null;
}

export async function checkSkills({ api }: Pick<CommandContext, "api">, report: ReportFinding): Promise<void> {
  const { enabled, playbooks } = await api.get("/api/playbooks", { query: { limit: 1_000 } });
  if (!enabled) return;
  for (const finding of skillFindings(playbooks)) report(finding);
}

/** What to say of skills: a broken one does nothing, and the agent works without it. */
export function skillFindings(skills: readonly ListedSkill[]): readonly Finding[] {
  const broken = skills.filter(({ fault }) => fault !== null);
  const own = skills.filter(({ origin }) => origin !== "bundled").length;
  const text = `${skills.length} ${skills.length === 1 ? "skill" : "skills"}, ${own} of them yours`;
  return [
    { state: broken.length === 0 ? "ok" : "warning", about, text },
    ...broken.map(({ name, fault }): Finding => {
      const remedy = `agent-service skills show ${name} shows the file`;
      return { state: "warning", about, text: `${name} does nothing: ${fault}`, remedy };
    }),
  ];
}
