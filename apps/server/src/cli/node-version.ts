/** The oldest Node that reads what this is built to. */
const OLDEST = { major: 22, minor: 22 };

/** Why a version of Node cannot run this, as a sentence; undefined: it can. Older ones end with a syntax error of theirs. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const { major: oldest, minor: release } = OLDEST;
  if (major > oldest || (major === oldest && minor >= release)) return undefined;
  return `agent-service needs Node ${oldest}.${release} or newer, and this is ${version}.`;
}
