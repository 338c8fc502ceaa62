export { type Answer, answerOfProblem } from "./answer.ts";
export {
  type Idempotency,
  inMatchingOrder,
  mountRoute,
  type OperatorRoute,
  type RoutePorts,
} from "./mount-route.ts";
export { notBlank } from "./not-blank.ts";
export { MAX_PARAM, type RawRequest, type ReadJson } from "./read-request.ts";
export { bodyBytesOf } from "./read-upload.ts";
export {
  type EventsReply,
  empty,
  events,
  type Frozen,
  type JsonReply,
  json,
  type MediaBody,
  type MediaReply,
  media,
  type Reply,
  type ReplyInput,
  type ReplyOutput,
} from "./reply.ts";
export {
  Accepted,
  type Call,
  type Decider,
  defineRoute,
  type Failure,
  type Handler,
  type InputOf,
  isMutation,
  type Method,
  namesOf,
  type PathNames,
  type PathParams,
  type RequestKey,
  type Result,
  type RouteDefinition,
  type ServedRoute,
  serve,
  type Upload,
} from "./route-definition.ts";
export { timeQuery } from "./time-query.ts";
export { validate } from "./validate.ts";
