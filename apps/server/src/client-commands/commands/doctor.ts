import { checkMachine } from "../check-machine.ts";
import { checkService } from "../check-service.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import type { Finding } from "../finding.ts";
import { refuseArguments } from "../flag-values.ts";
import { clean } from "../terminal-text.ts";

const MARKS = { ok: "✓", warning: "!", failure: "✗" } as const;
const LOOKS = { ok: "green", warning: "yellow", failure: "red" } as const;

export const doctorCommand: ClientCommand = {
  name: "doctor",
  order: 130,
  summary: "Checks configuration, store, disk, clock, service and model, and shows what to do",
  usage: `agent-service doctor

  --no-model   do not ask the model (it costs two short calls)

It works while the service is down, and changes nothing. It ends with 1 when something is broken.
`,
  options: { "no-model": { type: "boolean" } },
  async run(context) {
    refuseArguments("doctor", context.positionals);
    const { json, writeJson } = context;
    const findings: Finding[] = [];
    const report = (finding: Finding): void => {
      findings.push(finding);
      if (!json) show(context, finding);
    };
    const machine = await checkMachine(context, report);
    await checkService(context, machine, report);
    const broken = findings.some(({ state }) => state === "failure");
    if (json) writeJson({ ok: !broken, findings });
    return broken ? EXIT.failed : EXIT.ok;
  },
};

function show({ write, paint }: CommandContext, { state, about, text, remedy }: Finding): void {
  write(`${paint(LOOKS[state], MARKS[state])} ${about.padEnd(8)} ${clean(text)}\n`);
  if (remedy !== undefined) write(`           → ${clean(remedy)}\n`);
}
