/** Verifiers that are always there, as the plugin `core`. */
import { type AnyVerifier, defineVerifier } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { ISSUE_STATUSES, type IssueBoard } from "../board/index.ts";
import type { Egress } from "../egress/index.ts";
import type { TaskState } from "../event/index.ts";
import type { TaskService } from "../task/index.ts";
import { lookInto } from "./data-check.ts";
import type { Expressions } from "./expressions.ts";
import { expressionSchema } from "./verifier-spec.ts";

const MAX_PAGE_BYTES = 1_048_576;
const TIMEOUT_MS = 20_000;
const TASK_STATES = ["queued", "running", "parked", "completed", "failed", "canceled"] as const satisfies TaskState[];

export interface CoreVerifierParts {
  /** Asked at each check. */
  readonly egress: () => Pick<Egress, "request">;
  readonly board: Pick<IssueBoard, "get">;
  readonly tasks: Pick<TaskService, "get">;
  readonly expressions: Expressions;
}

export function coreVerifiers(parts: CoreVerifierParts): readonly AnyVerifier[] {
  return [urlVerifier(parts), boardVerifier(parts), taskVerifier(parts)];
}

/** The verifier whose expression is read before its check is stored. */
export const URL_CHECK = "core:url";

const looks = v.object({
  url: v.pipe(
    v.string(),
    v.url(),
    v.regex(/^https?:/i, "Expected an http or https address."),
    v.maxLength(2_048),
    v.description("An http or https address."),
  ),
  status: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599), v.description("Default: any 2xx.")),
  ),
  contains: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(8_192), v.description("A text of the page."))),
  expr: v.optional(
    v.pipe(expressionSchema, v.description("JSONata over the page's JSON; what it finds counts as true.")),
  ),
});

function urlVerifier({ egress, expressions }: CoreVerifierParts): AnyVerifier {
  return defineVerifier({
    name: "url",
    description: "A page answers with a status, holds a text, or its JSON fits an expression.",
    args: looks,
    async check({ url, status, contains, expr }, { signal }) {
      const answer = await egress().request(url, {
        ...{ signal, timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_PAGE_BYTES, overflow: "cut", maxRedirects: 5 },
      });
      const wanted = status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status;
      const body = Buffer.from(answer.body).toString("utf8");
      const looked = contains !== undefined || expr !== undefined;
      if (!wanted || !looked) {
        const reason = `The page answered with status ${answer.status}.`;
        const value = [answer.status, looked ? "" : body];
        return { met: wanted, reason, evidence: body.slice(0, 2_000), value };
      }
      return lookInto(body, { contains, expr }, { expressions, signal });
    },
  });
}

function boardVerifier({ board }: CoreVerifierParts): AnyVerifier {
  return defineVerifier({
    name: "board",
    description: "An issue of the task board has a status.",
    args: v.object({
      issue_id: v.pipe(v.string(), v.maxLength(40), v.description("For example task-7.")),
      status: v.optional(v.pipe(v.picklist(ISSUE_STATUSES), v.description("Default: closed.")), "closed"),
    }),
    async check({ issue_id, status }) {
      const issue = await board.get(issue_id);
      const evidence = [`${issue.id}: ${issue.status}`, issue.title, issue.closeReason].join("\n").trim();
      const reason = `The issue is ${issue.status.replace("_", " ")}.`;
      return { met: issue.status === status, reason, evidence, value: issue.status };
    },
  });
}

function taskVerifier({ tasks }: CoreVerifierParts): AnyVerifier {
  return defineVerifier({
    name: "task",
    description: "A turn or background task of this agent has a state.",
    args: v.object({
      task_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
      state: v.optional(v.pipe(v.picklist(TASK_STATES), v.description("Default: completed.")), "completed"),
    }),
    async check({ task_id, state }) {
      const handle = await tasks.get(task_id);
      if (handle === undefined || handle.view.class !== "operator") throw new Error("there is no such task");
      const now = handle.view.state;
      return { met: now === state, reason: `The task is ${now}.`, evidence: `${handle.view.id}: ${now}`, value: now };
    },
  });
}
