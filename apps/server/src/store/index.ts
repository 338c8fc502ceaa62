export { openServiceStore, type ServiceStoreOptions, storePlace } from "./open-service-store.ts";
export { storeAddress } from "./store-address.ts";
