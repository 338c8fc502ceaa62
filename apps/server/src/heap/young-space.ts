import { getHeapSpaceStatistics, type HeapSpaceInfo } from "node:v8";

/** What V8 says of its young generation; sizes in bytes. */
export function youngSpace(): HeapSpaceInfo | undefined {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
}
