export { isOnlyUnwritable } from "./is-only-unwritable.ts";
export { openServiceStore, type ServiceStoreOptions, storeLocation } from "./open-service-store.ts";
export { storeAddress } from "./store-address.ts";
