import { defineFeature, featureKey } from "../feature/index.ts";
import { traces } from "../tracing/index.ts";
import { AuditLog, callArguments } from "./audit-log.ts";
import { middlewareSection } from "./middleware-section.ts";

export interface AuditFeatureOptions {
  readonly path: string;
  /** Makes the folder of the file, where it is missing. */
  readonly makeFolder: (path: string) => void;
}

/** The audit log, as other parts of the service add to it. */
export const auditLog = featureKey<"audit", Pick<AuditLog, "note">>("audit");

/** The audit log: a line for every tool call (B54 `middleware.audit`). */
export function audit(file: AuditFeatureOptions) {
  return defineFeature({
    name: "audit",
    needs: [traces],
    sections: [middlewareSection],
    open: ({ db, redactor, clock }, { needs, settings }) =>
      new AuditLog({
        ...{ ...file, redactor, clock, trace: needs.tracing.traceOf },
        enabled: () => settings.middleware.audit,
        argumentsOf: (calls) => callArguments(db, calls),
      }),
    readers: (log) => [log],
  });
}
