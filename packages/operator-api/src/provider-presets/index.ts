export {
  freeId,
  PROVIDER_PRESETS,
  type ProviderPreset,
  presetOf,
  suggestedConnectionId,
} from "./provider-presets.ts";
