/** Lines of the audit log about MCP servers (M13). None has an address, a code, a token or a value of a setting. */
import type { AuditNote } from "@agent-service/agent-core/host";

/** A step of a sign-in that a person makes. */
export interface SignInStep {
  readonly server: string;
  readonly step: "begun" | "granted" | "failed" | "signed_out";
  /** Why it failed: the code of a `SignInError`. */
  readonly reason?: string;
}

export interface AuditNotes {
  signIn(step: SignInStep): Promise<void>;
  /** A change of a saved server. */
  server(name: string, step: "added" | "changed" | "removed"): Promise<void>;
  /** What became of a sign-in without a person. */
  unasked(server: string, step: "renewed" | "ended"): void;
}

export function auditNotes(
  log: { note(note: AuditNote): Promise<void> },
  settings: { readonly identity: { readonly operator: string } },
): AuditNotes {
  const byPerson = (note: AuditNote): Promise<void> => {
    const { operator } = settings.identity;
    return log.note({ ...note, ...(operator !== "" && { operator }) });
  };
  return {
    signIn: (step) => byPerson({ event: "mcp.sign_in", ...step }),
    server: (server, step) => byPerson({ event: "mcp.server", server, step }),
    unasked: (server, step) => void log.note({ event: "mcp.sign_in", server, step }),
  };
}
