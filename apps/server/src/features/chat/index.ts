import { newErrorId } from "../../access/index.ts";
import { defineServiceFeature } from "../../service-feature/index.ts";
import { chatService } from "./chat-service.ts";
import { fileTextReader } from "./file-text.ts";
import { modelCommand } from "./model-command.ts";

/** The chat of operators (B33). */
export const chat = defineServiceFeature({
  services(_, { core, clock, models, settings, logging }) {
    core.service.commands.add([
      modelCommand({
        leadName: () => models.leadName,
        favorites: () => settings.model.favorites,
        choose: (value) => models.choose(value).name,
      }),
    ]);
    return {
      chat: chatService({
        tasks: core.service,
        checkModel: (value) => void models.choose(value),
        clock,
        newErrorId,
        fileText: fileTextReader(),
        onFailed: (failure) => logging.logger.warn(failure, "a turn of the chat failed"),
      }),
    };
  },
  flags: () => ({ chat: true }),
});
