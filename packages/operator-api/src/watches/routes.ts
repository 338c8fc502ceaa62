import * as v from "valibot";
import { RUNS_PROGRAMS, refusePrograms } from "../check-programs/index.ts";
import { cursorOf, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, json, type RequestKey, type ServedRoute, serve } from "../route/index.ts";
import {
  newWatchSchema,
  type VerifierRow,
  verifierSchema,
  type WatchFireRow,
  type WatchRow,
  watchChangeSchema,
  watchFireSchema,
  watchSchema,
} from "./schema.ts";

const tag = "Watches";
const params = { watch_id: "The watch's id." };
const unknown = { 404: "There is no such watch." } as const;
const refusals = {
  400: "The check, the id or the deadline cannot be used; the detail says why.",
  403: "A check that runs programs is not set on an instance that others reach without a credential.",
} as const;
const off = { 503: "No watch is checked (`watches.poller`)." } as const;
const ended = { 409: "The watch has ended, or there are as many as there may be." } as const;
const changed = json(v.object({ ok: v.literal(true), message: v.string(), watch: watchSchema }));

export const listWatches = defineRoute({
  name: "watches.list",
  method: "GET",
  path: "/api/watches",
  tag,
  summary: "Watches, the newest first",
  query: pageQuery(v.object({ at: v.number(), id: v.string() }), { defaultLimit: 100, maxLimit: 500 }),
  reply: json(
    v.object({
      enabled: v.pipe(v.boolean(), v.description("The agent has the tools of watches.")),
      poller: v.pipe(v.boolean(), v.description("Watches are checked.")),
      watches: v.array(watchSchema),
      ...pageFields,
    }),
  ),
});

export const createWatch = defineRoute({
  name: "watches.create",
  method: "POST",
  path: "/api/watches",
  tag,
  summary: "Watches a condition: checked again and again without a model, until it holds or its time is over",
  body: newWatchSchema,
  decides: RUNS_PROGRAMS,
  reply: changed,
  failures: { ...refusals, ...off, 409: "There are as many watches as there may be." },
  example: {
    body: {
      condition: "The release notes are out",
      check: "core:url",
      check_args: { url: "https://example.com/releases", contains: "2.0" },
      run_prompt: "Sum up the release notes.",
    },
  },
});

export const readWatch = defineRoute({
  name: "watches.read",
  method: "GET",
  path: "/api/watches/{watch_id}",
  tag,
  summary: "A watch",
  params,
  reply: json(v.object({ watch: watchSchema })),
  failures: unknown,
});

export const editWatch = defineRoute({
  name: "watches.edit",
  method: "PATCH",
  path: "/api/watches/{watch_id}",
  tag,
  summary: "Changes what is sent of a watch; null takes deadline, interval, stall_after or run_prompt away",
  params,
  body: watchChangeSchema,
  decides: RUNS_PROGRAMS,
  reply: changed,
  failures: { ...refusals, ...unknown, ...ended },
});

export const clearWatch = defineRoute({
  name: "watches.clear",
  method: "DELETE",
  path: "/api/watches/{watch_id}",
  tag,
  summary: "Removes a watch and its fires; a turn that it started goes on",
  params,
  reply: json(v.object({ cleared: v.literal(true) })),
  failures: unknown,
});

export const listWatchFires = defineRoute({
  name: "watches.fires",
  method: "GET",
  path: "/api/watches/{watch_id}/fires",
  tag,
  summary: "When a watch fired, newest first, with the evidence",
  params,
  query: pageQuery(v.number()),
  reply: json(v.object({ fires: v.array(watchFireSchema), ...pageFields })),
  failures: unknown,
});

export const checkWatch = defineRoute({
  name: "watches.check",
  method: "POST",
  path: "/api/watches/{watch_id}/check",
  tag,
  summary: "Checks a watch now; it counts like any other check",
  params,
  reply: json(v.object({ watch: watchSchema })),
  failures: { ...unknown, ...ended, ...off },
});

export const listVerifiers = defineRoute({
  name: "watches.verifiers",
  method: "GET",
  path: "/api/verifiers",
  tag,
  summary: "Checks that have a name, with the schema of their arguments",
  reply: json(v.object({ verifiers: v.array(verifierSchema) })),
});

/** Where a page of watches ended. */
export interface WatchPosition {
  /** When it was made, epoch milliseconds. */
  readonly at: number;
  readonly id: string;
}

/** Implemented by the service. Refuses by throwing `Problem`; nothing changed then. */
export interface WatchesService {
  readonly enabled: () => boolean;
  readonly poller: () => boolean;
  list(page: {
    readonly limit: number;
    readonly after: WatchPosition | undefined;
  }): readonly { readonly row: WatchRow; readonly position: WatchPosition }[];
  read(id: string): WatchRow;
  create(
    watch: v.InferOutput<typeof newWatchSchema>,
    key: RequestKey | undefined,
  ): Promise<{ readonly message: string; readonly watch: WatchRow }>;
  edit(
    id: string,
    change: v.InferOutput<typeof watchChangeSchema>,
  ): Promise<{ readonly message: string; readonly watch: WatchRow }>;
  clear(id: string): Promise<void>;
  fires(
    id: string,
    page: { readonly limit: number; readonly before: number | undefined },
  ): Promise<readonly WatchFireRow[]>;
  check(id: string): Promise<WatchRow>;
  verifiers(): VerifierRow[];
}

export function watchRoutes(watches: WatchesService): readonly ServedRoute[] {
  return [
    serve(listWatches, async ({ query: { limit, cursor } }) => {
      const found = watches.list({ limit, after: cursor });
      const last = found.length < limit ? undefined : found.at(-1)?.position;
      const rows = found.map(({ row }) => row);
      return { enabled: watches.enabled(), poller: watches.poller(), watches: rows, next_cursor: cursorOf(last) };
    }),
    serve(createWatch, async ({ body, requestKey, refuseDecision }) => {
      await refusePrograms(body.verifier, { refuseDecision });
      return { ok: true as const, ...(await watches.create(body, requestKey)) };
    }),
    serve(readWatch, async ({ params }) => ({ watch: watches.read(params.watch_id) })),
    serve(editWatch, async ({ params, body, refuseDecision }) => {
      await refusePrograms(body.verifier, { refuseDecision });
      return { ok: true as const, ...(await watches.edit(params.watch_id, body)) };
    }),
    serve(clearWatch, async ({ params }) => {
      await watches.clear(params.watch_id);
      return { cleared: true as const };
    }),
    serve(listWatchFires, async ({ params, query: { limit, cursor } }) => {
      const fires = [...(await watches.fires(params.watch_id, { limit, before: cursor }))];
      return { fires, next_cursor: cursorOf(fires.length < limit ? undefined : fires.at(-1)?.no) };
    }),
    serve(checkWatch, async ({ params }) => ({ watch: await watches.check(params.watch_id) })),
    serve(listVerifiers, async () => ({ verifiers: watches.verifiers() })),
  ];
}
