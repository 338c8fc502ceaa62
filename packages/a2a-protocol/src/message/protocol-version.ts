/** The protocol versions this package supports. */
export type ProtocolVersion = "0.3" | "1.0";
