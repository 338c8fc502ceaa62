/** A feature of the specification that is not part of this release, and what of the settings waits for it. */
export interface UnbuiltFeature {
  readonly feature: string;
  /** Sections that someone may write already. */
  readonly sections?: readonly string[];
  /** Keys of declared sections, with a dot. */
  readonly keys?: readonly string[];
  /** Environment variables. `<HANDLE>` is any one word in capitals. */
  readonly variables?: readonly string[];
}

/**
 * What is specified and does nothing yet (B61 to B63, B73). Who sets it made no typing error, and is warned once that it
 * is ignored. A feature that is built deletes its row.
 */
export const UNBUILT_FEATURES: readonly UnbuiltFeature[] = [
  {
    feature: "fleet",
    sections: ["fleet"],
    variables: ["SVC_FLEET_AUTOSTART", "SVC_FLEET_KEEP_MEMBERS_ON_EXIT", "SVC_FLEET_MAX_WARM", "SVC_FLEET_WARM_GRACE"],
  },
  { feature: "fleet and tracing", keys: ["telemetry.fleet_trace_export"], variables: ["SVC_FLEET_TRACE_EXPORT"] },
  { feature: "discovery", sections: ["discovery"], variables: ["SVC_DISCOVERY_DISABLE"] },
  { feature: "notes", variables: ["NOTES_PATH"] },
  { feature: "the evaluation harness, which alone reads it", variables: ["AUDIT_PATH"] },
  { feature: "peers", sections: ["delegates"], variables: ["PEER_<HANDLE>_URL", "PEER_<HANDLE>_TOKEN"] },
  { feature: "workflows", sections: ["workflows", "workflow_runs"] },
  { feature: "plugins", sections: ["plugins"] },
  { feature: "coding agents", sections: ["acp"] },
  { feature: "settings of the inbox", sections: ["inbox"] },
  // Names that the specification keeps from plugins.
  { feature: "none", sections: ["operator", "runtime", "security"] },
];

/** The sections that are known and do nothing yet. */
export const RESERVED_SECTIONS = UNBUILT_FEATURES.flatMap(({ sections = [] }) => sections).sort();

/** The keys of declared sections that do nothing yet. */
export const RESERVED_KEYS = UNBUILT_FEATURES.flatMap(({ keys = [] }) => keys).sort();

/** The variables that nothing reads yet, each with what brings it. */
export const RESERVED_VARIABLES = UNBUILT_FEATURES.flatMap(({ feature, variables = [] }) =>
  variables.map((name) => ({ name, feature })),
);

/** The names of the variables that are set although nothing reads them, sorted. */
export function reservedVariablesIn(env: { readonly [name: string]: string | undefined }): string[] {
  const patterns = RESERVED_VARIABLES.map(({ name }) => new RegExp(`^${name.replace("<HANDLE>", "[A-Z0-9_]+")}$`));
  return Object.keys(env)
    .filter((name) => env[name]?.trim() !== "" && patterns.some((pattern) => pattern.test(name)))
    .sort();
}
