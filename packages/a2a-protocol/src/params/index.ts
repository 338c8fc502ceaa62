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
