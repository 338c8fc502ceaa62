import type { Method } from "../route/index.ts";

type Empty = readonly never[] | { readonly [name: string]: never } | 0 | null;

/** What a route of a missing feature answers (ruling O4). */
export type UnbuiltAnswer =
  /** An empty list: these fields beside `enabled: false` and `next_cursor: null`. */
  | { readonly kind: "list"; readonly fields: { readonly [name: string]: Empty } }
  | { readonly kind: "refused" }
  /** Document 2 names it for a toolset that is off. */
  | { readonly kind: "disabled" };

/** A feature of document 2 that this build does not have, with its routes. */
export interface UnbuiltFeature {
  /** As in the `features` of the runtime status. */
  readonly feature: string;
  /** The resource, for people. */
  readonly tag: string;
  readonly routes: readonly (readonly [method: Method, path: `/api/${string}`, answer: UnbuiltAnswer])[];
}

const refused: UnbuiltAnswer = { kind: "refused" };
const disabled: UnbuiltAnswer = { kind: "disabled" };

function list(fields: { readonly [name: string]: Empty }): UnbuiltAnswer {
  return { kind: "list", fields };
}

/**
 * Every route of document 2 whose feature is not built. A row goes when its feature comes; a test refuses one whose
 * route is served.
 */
export const UNBUILT: readonly UnbuiltFeature[] = [
  {
    feature: "goals",
    tag: "Goals",
    routes: [
      ["GET", "/api/goals", list({ goals: [] })],
      ["POST", "/api/goals", refused],
      ["GET", "/api/goals/{session_id}", refused],
      ["DELETE", "/api/goals/{session_id}", refused],
      ["POST", "/api/goals/{session_id}/rearm", refused],
      ["POST", "/api/goals/{session_id}/resume", refused],
    ],
  },
  {
    feature: "watches",
    tag: "Watches",
    routes: [
      ["GET", "/api/watches", list({ watches: [] })],
      ["POST", "/api/watches", refused],
      ["PATCH", "/api/watches/{watch_id}", refused],
      ["DELETE", "/api/watches/{watch_id}", refused],
    ],
  },
  {
    feature: "scheduler",
    tag: "Scheduler",
    routes: [
      ["GET", "/api/scheduler/jobs", list({ jobs: [], backend: null })],
      ["POST", "/api/scheduler/jobs", refused],
      ["PUT", "/api/scheduler/jobs/{job_id}", refused],
      ["DELETE", "/api/scheduler/jobs/{job_id}", refused],
    ],
  },
  {
    feature: "knowledge",
    tag: "Knowledge",
    routes: [
      ["GET", "/api/knowledge/search", list({ results: [], stats: {} })],
      ["POST", "/api/knowledge/ingest", refused],
      ["POST", "/api/knowledge/attach", refused],
      ["POST", "/api/knowledge/chunks", refused],
      ["PUT", "/api/knowledge/chunks/{chunk_id}", refused],
      ["DELETE", "/api/knowledge/chunks/{chunk_id}", refused],
      ["POST", "/api/knowledge/delete-by-source", refused],
      ["POST", "/api/knowledge/restore-by-source", refused],
    ],
  },
  {
    feature: "skills",
    tag: "Skills",
    routes: [
      ["GET", "/api/playbooks", list({ playbooks: [] })],
      ["POST", "/api/playbooks", refused],
      ["GET", "/api/playbooks/{skill_id}", refused],
      ["PUT", "/api/playbooks/{skill_id}", refused],
      ["DELETE", "/api/playbooks/{skill_id}", refused],
      ["POST", "/api/playbooks/{skill_id}/promote", refused],
    ],
  },
  {
    feature: "memory",
    tag: "Memory",
    routes: [
      ["GET", "/api/memory/sessions", list({ sessions: [] })],
      ["GET", "/api/memory/sessions/{session_id}", refused],
      ["DELETE", "/api/memory/sessions/{session_id}", refused],
      ["GET", "/api/memory/hot", list({ chunks: [] })],
      ["PUT", "/api/memory/hot/{chunk_id}", refused],
      ["DELETE", "/api/memory/hot/{chunk_id}", refused],
      ["GET", "/api/memory/injections", list({ injections: [] })],
    ],
  },
  {
    feature: "files",
    tag: "Files",
    routes: [
      ["GET", "/api/fs/browse", refused],
      ["GET", "/api/fs/roots", list({ roots: {} })],
    ],
  },
  {
    feature: "code_pane",
    tag: "Files",
    routes: [
      ["GET", "/api/fs/file", disabled],
      ["GET", "/api/fs/diff", disabled],
    ],
  },
  {
    feature: "editor_handoff",
    tag: "Editor",
    routes: [
      ["POST", "/api/editor/handoff", refused],
      ["POST", "/api/editor/handoff/claim", refused],
    ],
  },
  {
    feature: "fleet",
    tag: "Fleet",
    routes: [
      ["GET", "/api/fleet", list({ agents: [] })],
      ["POST", "/api/fleet", refused],
      ["PATCH", "/api/fleet/{name}", refused],
      ["DELETE", "/api/fleet/{name}", refused],
      ["POST", "/api/fleet/{name}/start", refused],
      ["POST", "/api/fleet/{name}/stop", refused],
      ["POST", "/api/fleet/{name}/activate", refused],
      ["POST", "/api/fleet/down", refused],
      ["GET", "/api/fleet/discover", list({ discovered: [] })],
      ["POST", "/api/fleet/remotes", refused],
      ["DELETE", "/api/fleet/remotes/{ident}", refused],
      ["POST", "/api/fleet/remotes/pair", refused],
      ["GET", "/api/archetypes", list({ archetypes: [] })],
      ["GET", "/api/archetypes/{id}/preview", refused],
    ],
  },
  {
    feature: "plugins",
    tag: "Plugins",
    routes: [
      ["GET", "/api/plugins/installed", list({ plugins: [], bundles: [] })],
      ["GET", "/api/plugins/catalog", list({ plugins: [] })],
      ["GET", "/api/plugins/updates", list({ plugins: [], bundles: [] })],
      ["POST", "/api/plugins/install", refused],
      ["POST", "/api/plugins/sync", refused],
      ["POST", "/api/plugins/{id}/enabled", refused],
      ["POST", "/api/plugins/{id}/update", refused],
      ["DELETE", "/api/plugins/{id}", refused],
    ],
  },
  {
    feature: "mcp",
    tag: "MCP",
    routes: [
      ["POST", "/api/mcp/servers", refused],
      ["POST", "/api/mcp/servers/import", refused],
      ["DELETE", "/api/mcp/servers/{name}", refused],
      ["GET", "/api/mcp/catalog", list({ servers: [] })],
      ["GET", "/api/mcp/exposed", list({ tools: [], count: 0 })],
    ],
  },
];
