/** Variables of the service that no server is given, and no placeholder reads, whatever `inherit_env` says (M3). */
const FIXED = /^(?:SVC|A2A|MODEL_API|SECRETS_MANAGER|TRACING|PEER)_/i;

/** Whether a name is forbidden whatever the instance is called and other sections read. */
export function isFixedForbiddenVariable(name: string): boolean {
  return FIXED.test(name);
}

/** What else is forbidden in an instance. */
export interface ForbiddenVariables {
  /** The agent's name, whose `<AGENT_NAME>_API_KEY` holds the operator's credential. */
  readonly agentName: string;
  /** Names that sections of the configuration read. */
  readonly owned: ReadonlySet<string>;
}

/** Whether a name is forbidden in an instance. */
export function isForbiddenVariable(name: string, { agentName, owned }: ForbiddenVariables): boolean {
  const own = `${agentName.replace(/[^A-Za-z0-9]+/g, "_")}_API_KEY`;
  return isFixedForbiddenVariable(name) || owned.has(name) || name.toUpperCase() === own.toUpperCase();
}
