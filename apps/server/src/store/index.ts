export { openServiceStore, type ServiceStoreOptions } from "./open-service-store.ts";
export { isStoreServer, storeAddress } from "./store-address.ts";
