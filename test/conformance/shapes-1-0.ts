/** Answers of 1.0 held against its data model, written down strictly: an unknown field is a misfit too. */
import * as v from "valibot";

const text = v.pipe(v.string(), v.minLength(1));
const struct = v.record(v.string(), v.unknown());
/** ISO 8601 in UTC with milliseconds. */
const timestamp = v.pipe(v.string(), v.isoTimestamp(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const some = <T extends v.GenericSchema>(item: T) => v.pipe(v.array(item), v.minLength(1));

const about = { metadata: v.optional(struct), filename: v.optional(text), mediaType: v.optional(text) };
const part = v.union([
  v.strictObject({ text: v.string(), ...about }),
  v.strictObject({ raw: v.pipe(v.string(), v.base64()), ...about }),
  v.strictObject({ url: v.pipe(v.string(), v.url()), ...about }),
  v.strictObject({ data: v.unknown(), ...about }),
]);
const message = v.strictObject({
  messageId: text,
  contextId: text,
  taskId: text,
  role: v.picklist(["ROLE_USER", "ROLE_AGENT"]),
  parts: some(part),
  metadata: v.optional(struct),
  extensions: v.optional(some(text)),
  referenceTaskIds: v.optional(some(text)),
});
const status = v.strictObject({
  state: v.picklist([
    "TASK_STATE_WORKING",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_FAILED",
  ]),
  message: v.optional(message),
  timestamp,
});
const artifact = v.strictObject({
  artifactId: text,
  name: v.optional(text),
  description: v.optional(text),
  parts: some(part),
  metadata: v.optional(struct),
  extensions: v.optional(some(text)),
});
const task = v.strictObject({
  id: text,
  contextId: text,
  status,
  artifacts: v.optional(some(artifact)),
  history: v.optional(some(message)),
  metadata: v.optional(struct),
});
const reference = { taskId: text, contextId: text, metadata: v.optional(struct) };
const statusUpdate = v.strictObject({ ...reference, status });
const artifactUpdate = v.strictObject({
  ...reference,
  artifact,
  append: v.optional(v.boolean()),
  lastChunk: v.optional(v.boolean()),
});
const streamResponse = v.union([
  v.strictObject({ task }),
  v.strictObject({ message }),
  v.strictObject({ statusUpdate }),
  v.strictObject({ artifactUpdate }),
]);

const list = v.strictObject({
  tasks: v.array(task),
  nextPageToken: v.string(),
  pageSize: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
  totalSize: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
const pushConfig = v.strictObject({
  taskId: text,
  id: text,
  url: v.pipe(v.string(), v.url()),
  authentication: v.optional(v.strictObject({ scheme: text })),
});

const schemes = v.record(v.string(), v.strictObject({ list: v.array(v.string()) }));
const scheme = v.union([
  v.strictObject({ httpAuthSecurityScheme: v.strictObject({ scheme: text, description: v.optional(text) }) }),
  v.strictObject({
    apiKeySecurityScheme: v.strictObject({
      location: v.picklist(["query", "header", "cookie"]),
      name: text,
      description: v.optional(text),
    }),
  }),
]);
const card = v.strictObject({
  name: text,
  description: text,
  supportedInterfaces: some(
    v.strictObject({
      url: v.pipe(v.string(), v.url()),
      protocolBinding: v.picklist(["JSONRPC", "HTTP+JSON", "GRPC"]),
      tenant: v.optional(text),
      protocolVersion: v.pipe(v.string(), v.regex(/^\d+\.\d+$/)),
    }),
  ),
  provider: v.optional(v.strictObject({ url: text, organization: text })),
  version: text,
  documentationUrl: v.optional(text),
  capabilities: v.strictObject({
    streaming: v.optional(v.boolean()),
    pushNotifications: v.optional(v.boolean()),
    extensions: v.optional(
      v.array(
        v.strictObject({
          uri: text,
          description: v.optional(text),
          required: v.optional(v.boolean()),
          params: v.optional(struct),
        }),
      ),
    ),
    extendedAgentCard: v.optional(v.boolean()),
  }),
  securitySchemes: v.optional(v.record(v.string(), scheme)),
  securityRequirements: v.optional(some(v.strictObject({ schemes }))),
  defaultInputModes: some(text),
  defaultOutputModes: some(text),
  skills: some(
    v.strictObject({
      id: text,
      name: text,
      description: text,
      tags: some(text),
      examples: v.optional(v.array(text)),
      inputModes: v.optional(some(text)),
      outputModes: v.optional(some(text)),
    }),
  ),
  iconUrl: v.optional(text),
});

const shapes = { task, streamResponse, sendResponse: v.strictObject({ task }), card, list, pushConfig };

/** Names of the shapes. */
export type Shape = keyof typeof shapes;

/** Where a value does not fit a shape of 1.0; empty where it fits. */
export function misfits10(shape: Shape, value: unknown): readonly string[] {
  const { issues = [] } = v.safeParse<v.GenericSchema>(shapes[shape], value);
  return issues.map((issue) => `${v.getDotPath(issue) ?? ""}: ${issue.message}`);
}
