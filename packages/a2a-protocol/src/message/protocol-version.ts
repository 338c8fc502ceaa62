/** The protocol versions this package speaks. */
export type ProtocolVersion = "0.3" | "1.0";
