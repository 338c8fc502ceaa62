/** Requests of the protocol that servers may make where their settings say so (M11). */
export type OfferedMethod = "sampling/createMessage" | "roots/list";
