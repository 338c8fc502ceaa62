export { AuditLog, type AuditLogOptions, type AuditNote, callArguments } from "./audit-log.ts";
export { type AuditFeatureOptions, audit, auditLog } from "./feature.ts";
export { type MiddlewareSectionValue, middlewareSection } from "./middleware-section.ts";
