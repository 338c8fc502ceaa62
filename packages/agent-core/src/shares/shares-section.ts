import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({ enabled: v.optional(v.boolean(), false) });

/** The section `shares` of the configuration (O9). */
export const sharesSection = {
  name: "shares",
  title: "Shared links",
  category: "Publish",
  description: "Read-only pages of conversations and runs, for whoever has their link.",
  schema,
  security: true,
  fields: {
    enabled: {
      label: "Sharing by a link",
      description:
        "Operators may share a conversation or a run. Whoever has the link reads the copy without a token, until it expires. Counts only while a token guards the service; switched off, no shared page is shown.",
      type: "bool",
    },
  },
} as const satisfies SettingsSection;
