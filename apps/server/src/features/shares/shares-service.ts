import type { Share, SharedBlock, ShareInclude, Shares, SharesError } from "@agent-service/agent-core/host";
import { type OperatorServices, Problem, type ShareRow, type ShareTarget } from "@agent-service/operator-api";
import { hostName } from "../../access/index.ts";
import type { ServerSettings } from "../../settings/index.ts";
import { sharedBlocks, sharesState } from "../../surfaces/share/index.ts";

type Service = NonNullable<OperatorServices["shares"]>;

/** Blocks of a preview, and characters of each. */
const PREVIEW_BLOCKS = 200;
const PREVIEW_CHARS = 2_000;

/** The shares of the engine, for the operator API. */
export function sharesService(shares: Shares, settings: ServerSettings): Service {
  return {
    state: () => sharesState(settings),
    list: async () => (await shares.list()).map(rowOf),
    remove: (id) => shares.revoke(id),
    async preview(target) {
      const { title, turns, hidden, blocks } = await refusing(() => shares.preview(requestOf(target)));
      const shown = blocks.slice(0, PREVIEW_BLOCKS).map(previewOf);
      return { title, turns, hidden, blocks: shown, more: blocks.length - shown.length };
    },
    async add({ expiresInS, key, host, ...target }) {
      const state = sharesState(settings);
      if (state !== "on") throw new Problem(409, { code: state, message: OFF[state] });
      const request = { ...requestOf(target), lifetimeMs: expiresInS * 1_000, key };
      const { share, link } = await refusing(() =>
        shares.create(request, (copy) => sharedBlocks(copy, settings.identity.name)),
      );
      return { id: share.id, url: `${addressOf(settings, host)}/share/${link}`, expires_at: iso(share.expiresAt) };
    },
  };
}

const OFF = {
  switched_off: "Sharing is switched off here: set shares.enabled.",
  no_token: "Sharing needs a token on this service: whoever reaches it could make shares and read everything else too.",
};

/** The address that others reach the service by: `A2A_PUBLIC_URL`, else the one this request was sent to. */
function addressOf({ environment, bind }: ServerSettings, host: string | undefined): string {
  const sent = host !== undefined && hostName(host) !== undefined ? host : `localhost:${bind.port}`;
  return environment.publicUrl ?? `http://${sent}`;
}

function requestOf({ of, include }: ShareTarget): { of: ShareTarget["of"]; include: ShareInclude } {
  return {
    of,
    include: {
      toolArguments: include.tool_arguments,
      toolResults: include.tool_results,
      reasoning: include.reasoning,
      persona: include.persona,
    },
  };
}

/** A refusal of the engine as the API answers it. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "SharesError") throw error;
    const { code, message } = error as SharesError;
    throw new Problem(code === "not_found" ? 404 : 409, { code, message });
  }
}

function rowOf({ id, session, task, title, include, bytes, createdAt, expiresAt }: Share): ShareRow {
  return {
    ...{ id, session_id: session, task_id: task ?? null, title, bytes },
    include: {
      tool_arguments: include.toolArguments,
      tool_results: include.toolResults,
      reasoning: include.reasoning,
      persona: include.persona,
    },
    created_at: iso(createdAt),
    expires_at: iso(expiresAt),
  };
}

function previewOf(block: SharedBlock) {
  const kind = block.kind === "message" ? block.from : block.kind;
  return { kind, text: textOf(block).slice(0, PREVIEW_CHARS) };
}

function textOf(block: SharedBlock): string {
  switch (block.kind) {
    case "call":
      return [block.title, block.args, block.result].filter((one) => one !== undefined).join("\n");
    case "component":
      return JSON.stringify(block.component);
    case "data":
      return JSON.stringify(block.data) ?? "";
    case "state":
      return block.state;
    case "message":
      return [block.text, ...block.files].filter((one) => one !== "").join("\n");
    default:
      return block.text;
  }
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
