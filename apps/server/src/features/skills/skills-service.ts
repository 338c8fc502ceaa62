import {
  DatabaseError,
  type SkillEntry,
  SkillError,
  type SkillErrorCode,
  type SkillLibrary,
  type SkillShelf,
} from "@agent-service/agent-core/host";
import {
  Problem,
  type SkillChange,
  type SkillDetail,
  type SkillRow,
  type SkillsService,
} from "@agent-service/operator-api";
import { asSentence } from "../../surfaces/operator/index.ts";

/** The skills of the engine. */
export interface OpenSkills {
  readonly library: SkillLibrary;
  readonly shelf: SkillShelf;
  uses(): ReadonlyMap<string, { readonly count: number; readonly at: number }>;
  isEditable(name: string): boolean;
  canPromote(): boolean;
  promote(name: string): Promise<void>;
}

/** The skills of the engine, for the operator API. */
export function skillsService(
  { library, shelf, uses, isEditable, canPromote, promote }: OpenSkills,
  { enabled, redact }: { readonly enabled: () => boolean; readonly redact: (text: string) => string },
): SkillsService {
  const row = (entry: SkillEntry): SkillRow => {
    const { name, origin, skill, fault, changedAt } = entry;
    const use = uses().get(name);
    const editable = isEditable(name);
    const isCommand = skill !== undefined && (skill.userFacing || skill.userOnly);
    return {
      ...{ id: name, name, description: redact(skill?.description ?? ""), tools_used: [...(skill?.tools ?? [])] },
      ...{ source: "disk", confidence: skill === undefined ? 0 : 1, uses: use?.count ?? 0 },
      last_used: use === undefined ? null : iso(use.at),
      changed_at: changedAt === 0 ? null : iso(changedAt),
      ...{ user_facing: skill?.userFacing ?? false, user_only: skill?.userOnly ?? false },
      slash: isCommand ? skill.slash : "",
      ...{ tier: origin === "commons" ? "commons" : "private", origin, editable },
      promotable: editable && skill !== undefined && canPromote(),
      fault: fault ?? null,
    };
  };
  const detail = (name: string): SkillDetail => {
    const entry = library.find(name);
    if (entry === undefined) throw new Problem(404, "There is no such skill.");
    const files = library.files(name).map(({ path, bytes }) => ({ path, bytes }));
    return { ...row(entry), prompt_template: entry.skill?.body ?? "", text: entry.text, files };
  };
  const change = ({ reason, call }: Pick<SkillChange, "reason" | "call">) =>
    ({ author: "operator", reason, call: call === undefined ? undefined : `request:${call}` }) as const;
  const changed = async (work: Promise<{ readonly name: string }>): Promise<SkillDetail> =>
    detail((await work.catch(refused)).name);
  return {
    enabled,
    list: (limit, after = "") =>
      library.entries
        .filter(({ name }) => name > after)
        .slice(0, limit)
        .map(row),
    read: detail,
    create: (name, sent) => changed(shelf.create(name, sent, change(sent))),
    edit: (name, sent) => changed(shelf.update(name, sent, change(sent))),
    async remove(name, call) {
      await shelf.remove(name, change({ reason: "", call })).catch(refused);
    },
    async versions(name, wanted) {
      const all = await shelf.versions(name).catch(refused);
      const listed = wanted === undefined ? all : all.filter(({ no }) => no === wanted);
      if (wanted !== undefined && listed.length === 0) throw new Problem(404, "There is no such version.");
      return Promise.all(
        listed.map(async ({ no, at, author, reason, session, chars }) => ({
          ...{ version: no, at: iso(at), author, reason: redact(reason) },
          ...{ session_id: session === "" ? null : session, chars: chars ?? null },
          ...(wanted !== undefined && {
            text: chars === undefined ? null : await shelf.version(name, no).catch(refused),
          }),
        })),
      );
    },
    restore: (name, version, call) =>
      changed(shelf.restore(name, version, change({ reason: `Restored version ${version}`, call }))),
    promote: (name) => promote(name).catch(refused),
  };
}

const STATUS: { readonly [Code in SkillErrorCode]: number } = {
  unknown: 404,
  broken: 409,
  user_only: 403,
  unreadable: 409,
  known: 409,
  read_only: 403,
  invalid: 422,
  not_layered: 409,
  unwritable: 409,
};

/** The HTTP error of what skills refuse; a store that cannot be opened is a 503. */
function refused(error: unknown): never {
  if (error instanceof SkillError) throw new Problem(STATUS[error.code], asSentence(error.message));
  if (error instanceof DatabaseError && ["in_use", "unwritable"].includes(error.code))
    throw new Problem(503, `The versions of skills cannot be kept: ${error.message}`, { retryAfter: 10 });
  throw error;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
