export { MAX_PERSONA_CHARS, openPersonaFile, type PersonaFile, type PersonaFileOptions } from "./persona-file.ts";
export { PERSONA_PRESETS, type PersonaPreset, personaPreset } from "./persona-presets.ts";
export { personaText } from "./persona-text.ts";
