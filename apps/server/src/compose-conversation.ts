/** What an operator talks to: the chat and its sessions (document 2 "Chat and sessions"). */
import { type AgentEngine, systemClock } from "@agent-service/agent-core";
import type { OperatorServices } from "@agent-service/operator-api";
import { newErrorId } from "./http/index.ts";
import type { Logging } from "./logging/index.ts";
import type { ComposedModels } from "./model-layer/index.ts";
import { chatService, modelCommand } from "./operator/index.ts";
import type { ServerSettings } from "./sections/index.ts";

/** What the conversation is over. */
export interface ConversationParts {
  readonly core: AgentEngine;
  readonly models: Pick<ComposedModels, "choose" | "leadName" | "windowOf">;
  readonly settings: ServerSettings;
  readonly logging: Logging;
}

/** The services of the conversation. */
export function conversationServices(parts: ConversationParts): Pick<OperatorServices, "chat"> {
  const { core, models, logging } = parts;
  core.service.commands.add([
    modelCommand({
      leadName: () => models.leadName,
      favorites: () => parts.settings.model.favorites,
      choose: (value) => models.choose(value).name,
    }),
  ]);
  return {
    chat: chatService({
      tasks: core.service,
      checkModel: (value) => void models.choose(value),
      clock: systemClock(),
      newErrorId,
      onFailed: (failure) => logging.logger.warn(failure, "a turn of the chat failed"),
    }),
  };
}
