import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  knowledge as agentKnowledge,
  createEgress,
  isStoreServer,
  servingConnection,
} from "@agent-service/agent-core/host";
import { expandHome, makeFolder } from "@agent-service/config";
import { notedRefusal } from "../../logging/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { derive, type ServerSettings } from "../../settings/index.ts";
import { isOnlyUnwritable, storeAddress } from "../../store/index.ts";
import { injectionService } from "./injection-service.ts";
import { knowledgeService } from "./knowledge-service.ts";
import { memoryService } from "./memory-service.ts";
import { sourcesService } from "./sources-service.ts";
import { transferService } from "./transfer-service.ts";

/** What the agent remembers: in the configured store, or in the one in the home where that cannot be written (K1). */
export const knowledge = defineServiceFeature({
  engine(host) {
    const { settings, logging } = host;
    const onRefused = notedRefusal(logging.debug, "knowledge");
    const egress = derive(
      () => [settings.egress],
      ({ allowed_hosts }) => createEgress({ allowedHosts: allowed_hosts, onRefused }),
    );
    const { db_path: wanted } = settings.knowledge;
    const own = ownStore(settings);
    return agentKnowledge({
      egress,
      url: () => storeAddress(wanted),
      fallback(reason) {
        if (wanted === own || !isOnlyUnwritable(wanted, reason)) throw reason;
        const why = reason instanceof Error ? reason.message : String(reason);
        logging.logger.warn(`knowledge.db_path: ${why}; ${own} is used instead`);
        makeFolder(dirname(own));
        return `file:${own}`;
      },
      embeddingServer(value) {
        const serving = servingConnection(host.settings.models.connections, value);
        if (serving?.connection.type !== "compat-gateway" || serving.name === "") return undefined;
        const { id, baseUrl, apiKey } = serving.connection;
        return { baseUrl, apiKey, model: serving.name, name: `${id}:${serving.name}` };
      },
      commons: () => commonsOf(settings),
      makeFolder,
      exists: () => isStoreServer(wanted) || (wanted !== "" && existsSync(wanted)) || existsSync(own),
    });
  },
  services: ({ operations, commons, sources, transfer, forgetting, injections, uses }, { redact, settings }) => ({
    memoryInjections: injectionService({ injections, uses, operations }, redact),
    knowledge: knowledgeService(operations, commons),
    memoryInspector: memoryService(operations, forgetting, commons, placesOf(settings)),
    knowledgeSources: sourcesService(sources),
    knowledgeTransfer: transferService(transfer),
  }),
  flags: () => ({ knowledge: true, knowledge_sources: true, memory_inspector: true, memory_injections: true }),
});

/** Where memories of other agents of the home are read, and promoted to or written (K26). */
function commonsOf({ knowledge: { scope, commons_path: path }, paths }: Pick<Placed, "knowledge" | "paths">) {
  const isShared = scope === "shared";
  if (!isShared && scope !== "layered") return { folder: "", isShared };
  const commons = path === "" ? join(paths.home, "commons") : resolve(paths.home, expandHome(path));
  return { folder: join(commons, "memories"), isShared };
}

type Placed = Pick<ServerSettings, "knowledge" | "summaries" | "paths" | "instance">;

function ownStore({ paths, instance }: Placed): string {
  return join(paths.home, instance.id, "knowledge", "agent.db");
}

/** Files and folders that hold what is remembered. */
function placesOf(settings: Placed): readonly string[] {
  const { db_path: wanted } = settings.knowledge;
  const { folder, index } = settings.summaries;
  return [...new Set([wanted, ownStore(settings), folder, index])].filter(
    (path) => path !== "" && !isStoreServer(path),
  );
}
