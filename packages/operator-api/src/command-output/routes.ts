import * as v from "valibot";
import { Problem } from "../problem/index.ts";
import { defineRoute, json, type ServedRoute, serve } from "../route/index.ts";

export const readCommandOutput = defineRoute({
  name: "command_output.read",
  method: "GET",
  path: "/api/a2a/tasks/{id}/calls/{call}/output",
  tag: "Tasks",
  summary: "What a command wrote, while it runs and as long as its task's journal is kept",
  description: `Both streams in the order they were read, by whole lines while it runs, without known secrets: at most 10 MiB.
Read on from \`next\`; \`command.output\` of \`GET /api/events\` tells when there is more.`,
  query: v.object({
    after: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[0-9]{1,9}$/, "expected a number of bytes"),
        v.transform(Number),
        v.description("The `next` of the answer before. Default 0."),
      ),
      "0",
    ),
  }),
  reply: json(
    v.object({
      text: v.string(),
      next: v.pipe(v.number(), v.description("Where the next part begins.")),
      done: v.pipe(v.boolean(), v.description("No more will come.")),
      bytes: v.pipe(v.number(), v.description("Bytes kept until now.")),
      truncated: v.pipe(v.boolean(), v.description("It wrote more than is kept.")),
    }),
  ),
  failures: { 404: "There is no such task, or nothing is kept of this call." },
});

/** What commands wrote. */
export interface CommandOutputService {
  /** From byte `after` on; undefined: there is no such task, or nothing is kept of the call. */
  read(
    task: string,
    call: string,
    after: number,
  ): Promise<
    | {
        readonly text: string;
        readonly next: number;
        readonly done: boolean;
        readonly bytes: number;
        readonly truncated: boolean;
      }
    | undefined
  >;
}

/** The routes over the service. */
export function commandOutputRoutes(outputs: CommandOutputService): readonly ServedRoute[] {
  return [
    serve(readCommandOutput, async ({ params: { id, call }, query: { after } }) => {
      const page = await outputs.read(id, call, after);
      if (page === undefined) throw new Problem(404, "There is no such task, or nothing is kept of this call.");
      return page;
    }),
  ];
}
