import { isSecret, type Section } from "@agent-service/config";
import { SECTIONS } from "./sections.ts";

export interface EnvironmentVariable {
  readonly name: string;
  readonly meaning: string;
  /** The setting it feeds, for variables that the configuration reads. */
  readonly setting?: string;
  /** Its value is a secret, whatever its name is. */
  readonly secret?: true;
}

/** Variables of no section: what the process needs before or beside its settings (N3, R13). */
const PROCESS_VARIABLES: readonly EnvironmentVariable[] = [
  {
    name: "SVC_HOME",
    meaning: "Folder of the stores, host-config.yaml and the compiled program; default ~/.protoagent.",
  },
  {
    name: "SVC_CONFIG_DIR",
    meaning: "Folder of agent-config.yaml and secrets.yaml; default config/ of the checkout, else config in the home.",
  },
  {
    name: "SVC_URL",
    meaning: "Address of the service that commands such as status talk to; default this machine's, port 7870.",
  },
  {
    name: "SVC_UI",
    meaning: "console (default) or none (API, A2A and metrics only); full is a deprecated alias of console.",
  },
  { name: "SVC_HEADLESS", meaning: "Deprecated alias: 1 means SVC_UI=none." },
  { name: "SVC_HEADLESS_SETUP", meaning: "1 completes setup from a valid configuration." },
  { name: "SVC_HOST", meaning: "Address to listen on; default 127.0.0.1." },
  {
    name: "TASKS_DB_PATH",
    meaning: "File of the task board, or the address of a libSQL server; default tasks/issues.db in the home.",
  },
  { name: "LOG_LEVEL", meaning: "DEBUG (a line for each decision), INFO (default), WARNING or ERROR." },
  { name: "LOG_FORMAT", meaning: "text (default) or json." },
  {
    name: "LOG_BUFFER_LINES",
    meaning: "Log lines kept in memory for /api/diagnostics/logs; default 2000, 0 keeps none, at most 50000.",
  },
];

/** Every variable this release reads (B73): the process's own, then those of each section. */
export const ENVIRONMENT_VARIABLES: readonly EnvironmentVariable[] = [
  ...PROCESS_VARIABLES,
  ...SECTIONS.flatMap(variablesOf),
];

function variablesOf(section: Section): readonly EnvironmentVariable[] {
  const feeding = Object.entries(section.variables ?? {}).map(
    ([key, { variable: name, meaning = section.fields[key]?.description ?? "" }]): EnvironmentVariable => ({
      ...{ name, meaning, setting: `${section.name}.${key}` },
      ...(isSecret(section, key) && { secret: true }),
    }),
  );
  return [...feeding, ...(section.environment ?? [])];
}
