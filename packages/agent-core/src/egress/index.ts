export type { CheckedHost, Egress, EgressOptions, StreamingEgress } from "./create-egress.ts";
export { createEgress, createHostCheck } from "./create-egress.ts";
export type { EgressErrorCode } from "./egress-error.ts";
export { EgressConfigError, EgressError } from "./egress-error.ts";
export type { EgressAnswer, EgressRequest, EgressStream, EgressStreamRequest } from "./egress-request.ts";
export { MAX_REDIRECTS } from "./egress-request.ts";
export type { EgressSectionValue } from "./egress-section.ts";
export { egressSection } from "./egress-section.ts";
export type { ResolveHost } from "./resolve-host.ts";
