/** Documents as operators hand them over, see and remove them (K22, K24). */
import type { Source, Sources } from "@agent-service/agent-core/host";
import type { KnowledgeSourcesService } from "@agent-service/operator-api";
import { refusing } from "./refusing.ts";

export function sourcesService(sources: Sources): KnowledgeSourcesService {
  return {
    take: ({ title, domain, ...given }, signal) =>
      refusing(async () => {
        const handed =
          "file" in given
            ? given.file
            : "url" in given
              ? await sources.fetch(given.url, signal)
              : { bytes: new TextEncoder().encode(given.text), mediaType: "text/markdown" };
        return rowOf(await sources.hand({ ...handed, ...(title && { title }), ...(domain && { domain }) }));
      }),
    ready: (id, signal) =>
      refusing(async () => {
        const { source, chunks } = await sources.ready(id, signal);
        return { source: rowOf(source), chunks };
      }),
    attach: (document, session, signal) =>
      refusing(async () => {
        const { type, source, ...attached } = await sources.attach(document, session, signal);
        return { ...attached, source_type: type, source_id: source ?? null };
      }),
    list: (query) => refusing(async () => (await sources.list(query)).map(rowOf)),
    read: (id) => refusing(async () => rowOf(await sources.find(id))),
    remove: (which) => refusing(() => sources.remove(which)),
    restore: (which) => refusing(() => sources.restore(which)),
  };
}

function rowOf({ id, state, title, name, uri, type, domain, bytes, chars, total, done, error, ...times }: Source) {
  return {
    ...{ id, state: state === "receiving" ? ("queued" as const) : state, title: title || name, name, source: uri },
    ...{ source_type: type, domain, bytes, chars, total, done, error: error === "" ? null : error },
    created_at: new Date(times.createdAt).toISOString(),
    removed_at: times.removedAt === undefined ? null : new Date(times.removedAt).toISOString(),
  };
}
