export { openServiceStore, type ServiceStoreOptions, storePlace } from "./open-service-store.ts";
export { isStoreServer, storeAddress } from "./store-address.ts";
