/** A task of the server. */
export interface ServerTask {
  readonly id: string;
  readonly tool: string;
  readonly token: string;
  readonly readyAt: number;
  /** It asks for a word before it ends. */
  readonly asks: boolean;
  word: string | undefined;
  /** How often it was asked for. */
  answers: number;
  /** Its end was read, or it was cancelled. */
  isOver: boolean;
}
