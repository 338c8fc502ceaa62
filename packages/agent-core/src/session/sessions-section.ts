import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({ titles: v.optional(v.boolean(), true) });

/** The section `sessions` of the configuration. */
export const sessionsSection = {
  name: "sessions",
  category: "Model",
  description: "The conversations of the operator.",
  schema,
  fields: {
    titles: {
      label: "Titles by a model",
      description:
        "After the first answer of a chat in the console a model names the chat, once: `routing.aux_model`, else the lead where its price is known to be nothing. Otherwise, and for incognito chats always, the first words stay. Off: they always stay.",
      type: "bool",
    },
  },
} as const satisfies SettingsSection;
