export { type AccessControl, type HttpBindings, refusesUpgrade } from "./access-control.ts";
export { type Authenticator, createAuthenticator } from "./authenticate.ts";
export { type BodyBudget, createBodyBudget } from "./body-budget.ts";
export { maxBodyBytes } from "./body-limit.ts";
export { type Caller, callers } from "./caller.ts";
export { type BindRequest, checkBind } from "./check-bind.ts";
export { checkRouteTable, RouteTableError } from "./check-route-table.ts";
export { type AccessControlOptions, accessWarnings, createAccessControl } from "./create-access-control.ts";
export { apiKeyVariable, type Credentials, checkCredentials, isOpen } from "./credentials.ts";
export { createHostCheck, type HostCheck, type HostNames, hostName, isLoopbackHost } from "./host-check.ts";
export { type Listener, type ListenOptions, listen } from "./listen.ts";
export { type ErrorLog, type FormatRefusal, mountRoutes } from "./mount-routes.ts";
export { type AllowedOrigins, createOriginPolicy, type OriginPolicy, parseAllowedOrigins } from "./origin-policy.ts";
export {
  busy,
  forbidden,
  internalError,
  jsonResponse,
  methodNotAllowed,
  newErrorId,
  problem,
  unauthenticated,
} from "./problem.ts";
export { loggingRefusals, type WarningLog } from "./refusal-log.ts";
export { type Method, methodsOf, pathsOf, type Route, type RouteCall, type RouteHandler, type Tier } from "./route.ts";
export { type ReadSocketTables, readSocketTables } from "./socket-owner.ts";
export { createStreamLimit, type StreamLimit } from "./stream-limit.ts";
