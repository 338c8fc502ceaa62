import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { allPages } from "../all-pages.ts";
import { detailBeside, type Preview, previewOf, previewText } from "../approval-preview.ts";
import type { ClientCommand, CommandContext } from "../command.ts";
import { usage } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { limitFlag, positionalsOf, refuseArguments, textFlag } from "../flag-values.ts";
import { clean, columns } from "../terminal-text.ts";
import { timeOf } from "./tasks.ts";

/** Lines of a diff or a script in the list; `show` has them all. */
const LISTED_LINES = 20;

/** A prompt that waits for a person, as the API returns it. */
export type Approval = AnswerOf<Extract<OperatorDefinition, { readonly name: "approvals.list" }>>["approvals"][number];

export const approvalsCommand: ClientCommand = {
  name: "approvals",
  order: 80,
  summary: "What waits for a person, and the answers",
  usage: `agent-service approvals [list]
agent-service approvals show <id>             what the call would do: its command, its changes, its code
agent-service approvals approve <id>
agent-service approvals decline <id>
agent-service approvals answer <id> <text>    a question's answer; a form's values as a JSON object
agent-service approvals grants                what was approved for the future
agent-service approvals revoke <grant>

  --args <json>     approve the call with these arguments instead
  --note <text>     for the agent to read, beside the decision
  --remember        approve the same call in future too
  --limit <number>  how many are listed; default 20
`,
  options: {
    args: { type: "string" },
    note: { type: "string" },
    remember: { type: "boolean" },
    limit: { type: "string" },
  },
  run(context) {
    const [verb = "list"] = context.positionals;
    switch (verb) {
      case "list":
        return listApprovals(context);
      case "show":
        return show(context);
      case "approve":
      case "decline":
        return decide(context, verb);
      case "answer":
        return answer(context);
      case "grants":
        return listGrants(context);
      case "revoke":
        return revoke(context);
      default:
        throw usage(
          `approvals takes list, show, approve, decline, answer, grants or revoke, not ${JSON.stringify(verb)}`,
        );
    }
  },
};

async function listApprovals(context: CommandContext): Promise<ExitCode> {
  const { api, flags, json, positionals, write, writeJson, note, paint } = context;
  refuseArguments("approvals list", positionals.slice(1));
  const { approvals, pending } = await api.get("/api/approvals", { query: { limit: Math.min(200, limitFlag(flags)) } });
  if (json) {
    writeJson({ approvals, pending });
    return EXIT.ok;
  }
  if (pending === 0) note("Nothing waits for a person.\n");
  for (const row of approvals) {
    const preview = row.kind === "approval" ? await previewOf(api, row.id) : undefined;
    write(
      `${approvalText(row, paint, preview)}\n${preview === undefined ? "" : previewText(preview, paint, LISTED_LINES)}`,
    );
  }
  if (pending > approvals.length) note(`${pending - approvals.length} more wait.\n`);
  return EXIT.ok;
}

async function show(context: CommandContext): Promise<ExitCode> {
  const { api, json, note, paint, write, writeJson } = context;
  const [id = ""] = positionalsOf(context, "the id of a prompt");
  const preview = await api.get("/api/approvals/{id}/preview", { params: { id } });
  if (json) writeJson(preview);
  else if (preview.kind === "none") note("There is nothing to see beside its arguments.\n");
  else write(previewText(preview, paint, Number.POSITIVE_INFINITY));
  return EXIT.ok;
}

/** Waiting prompts, as lines for people; where a `preview` follows, without what it says itself. */
export function approvalText(row: Approval, paint: CommandContext["paint"], preview?: Preview): string {
  const { payload, parents } = row;
  const detail = payload.kind === "approval" ? detailBeside(preview, payload.detail) : "";
  const outermost = parents.at(-1);
  const under = outermost === undefined ? "" : `, for task ${outermost.task_id} in session ${outermost.session_id}`;
  const asked =
    payload.kind === "approval"
      ? `${payload.title} ${payload.tool} ${JSON.stringify(payload.args)}${detail === "" ? "" : `\n  ${detail}`}`
      : payload.kind === "form"
        ? `${payload.title} ${payload.description}\n  ${JSON.stringify(payload.steps.map(({ schema }) => schema))}`
        : payload.question;
  return `${paint("bold", row.id)}  ${row.kind} since ${timeOf(row.created_at)}
  ${paint("yellow", clean(asked))}
  asked by task ${row.task_id} (${row.origin}, ${row.class})${under}`;
}

async function decide(context: CommandContext, decision: "approve" | "decline"): Promise<ExitCode> {
  const { api, flags } = context;
  const [id = ""] = positionalsOf(context, "the id of a prompt");
  const args = objectOf("--args", textFlag(flags, "args"));
  const note = textFlag(flags, "note");
  const body = { decision, ...(args && { args }), ...(note && { note }), remember: flags.remember === true };
  return decided(context, await api.post("/api/approvals/{id}", { params: { id }, body }));
}

async function answer(context: CommandContext): Promise<ExitCode> {
  const { api } = context;
  const [id = "", text = ""] = positionalsOf(context, "the id of a prompt", "the answer");
  const { rows } = await allPages(
    (cursor) => api.get("/api/approvals", { query: { limit: 200, cursor } }),
    ({ approvals }) => approvals,
    10_000,
  );
  const isForm = rows.find((row) => row.id === id)?.kind === "form";
  const body = { decision: "answer" as const, answer: isForm ? objectOf("a form's answer", text) : text };
  return decided(context, await api.post("/api/approvals/{id}", { params: { id }, body }));
}

function decided(
  { json, write, writeJson }: CommandContext,
  done: { readonly task_id: string; readonly state: string },
): ExitCode {
  if (json) writeJson(done);
  else
    write(
      `Answered; task ${done.task_id} is ${done.state}. See what comes of it: agent-service tasks show ${done.task_id}\n`,
    );
  return EXIT.ok;
}

function objectOf(name: string, text: string | undefined): { readonly [key: string]: unknown } | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usage(`${name} is a JSON object, which this is not`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw usage(`${name} is a JSON object`);
  return value as { readonly [key: string]: unknown };
}

async function listGrants(context: CommandContext): Promise<ExitCode> {
  const { api, flags, io, json, positionals, write, writeJson, note } = context;
  refuseArguments("approvals grants", positionals.slice(1));
  const { grants, next_cursor } = await api.get("/api/approvals/grants", {
    query: { limit: Math.min(200, limitFlag(flags)) },
  });
  if (json) writeJson({ grants, more: next_cursor !== null });
  else if (grants.length === 0) note("Nothing is approved for the future.\n");
  else {
    const rows = grants.map(({ id, tool, args, class: caller }) => [id, tool, caller, JSON.stringify(args)]);
    write(columns(["GRANT", "TOOL", "FOR", "ARGUMENTS"], rows, io.stdout));
  }
  return EXIT.ok;
}

async function revoke(context: CommandContext): Promise<ExitCode> {
  const { api, json, write, writeJson } = context;
  const [id = ""] = positionalsOf(context, "the id of a grant");
  const done = await api.delete("/api/approvals/grants/{id}", { params: { id } });
  if (json) writeJson(done);
  else write("Revoked.\n");
  return EXIT.ok;
}
