export { AuditLog, type AuditLogOptions, callArguments } from "./audit-log.ts";
export { type AuditFeatureOptions, audit } from "./feature.ts";
export { type MiddlewareSectionValue, middlewareSection } from "./middleware-section.ts";
