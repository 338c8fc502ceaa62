// #region section
import type { Section } from "@agent-service/config";
import * as v from "valibot";

export const mailSection = {
  name: "mail",
  description: "How mail is sent.",
  schema: v.object({
    host: v.optional(v.string(), "localhost"),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), 25),
    password: v.optional(v.string(), ""),
  }),
  secrets: ["password"],
  variables: { password: { variable: "MAIL_PASSWORD", mode: "fallback" } },
  fields: {
    host: { label: "Host", description: "The mail server.", type: "string" },
    port: { label: "Port", description: "Its port.", type: "number", minimum: 1, maximum: 65_535, restart: true },
    password: { label: "Password", description: "Its password.", type: "secret" },
  },
} as const satisfies Section;
// #endregion section
