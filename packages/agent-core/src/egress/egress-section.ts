import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { readAllowList } from "./allow-list.ts";

function isHost(entry: string): boolean {
  try {
    readAllowList([entry], []);
    return entry.trim() !== "";
  } catch {
    return false;
  }
}

const host = v.pipe(
  v.string("expected a host name"),
  v.trim(),
  v.maxLength(253, "a host name has at most 253 characters"),
  v.check(isHost, "expected a host name without scheme, port, path or wildcard"),
);

const schema = v.object({
  allowed_hosts: v.optional(v.pipe(v.array(host), v.maxLength(1_000, "expected at most 1000 hosts")), []),
});

export type EgressSectionValue = v.InferOutput<typeof schema>;

/** The section `egress` (B80; W3). A wrong value refuses (S8). */
export const egressSection = {
  name: "egress",
  title: "Outgoing requests",
  category: "Capabilities",
  description: "Where the agent's own requests may go beyond the public internet.",
  schema,
  security: true,
  environment: [
    {
      name: "PUSH_NOTIFICATION_ALLOWED_HOSTS",
      meaning: "Hosts webhooks may reach although they are private, comma-separated.",
    },
    {
      name: "PUSH_NOTIFICATION_ALLOWED_CIDRS",
      meaning: "Address blocks webhooks may reach although they are private, comma-separated.",
    },
  ],
  fields: {
    allowed_hosts: {
      label: "Allowed hosts",
      description:
        "Host names that fetch_url and webhooks may reach although they are private. Everything public is allowed without being named.",
      type: "string_list",
    },
  },
  example: "allowed_hosts: [wiki.intranet.example]",
} as const satisfies SettingsSection;
