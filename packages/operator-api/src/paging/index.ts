export {
  cursorOf,
  flagQuery,
  type IntegerQuery,
  integerQuery,
  type PageLimits,
  pageFields,
  pageQuery,
} from "./page.ts";
