export {
  chosen,
  cursorIn,
  historyLength,
  isPlainObject,
  metadata,
  name,
  names,
  readParams,
  required,
} from "./fields.ts";
export { listTasksFields, listTasksRequest, pageSize } from "./list-fields.ts";
export { authenticationScheme, secret, webhookUrl } from "./push-fields.ts";
export { wellFormed } from "./well-formed.ts";
