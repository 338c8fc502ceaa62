/** The request was sent; whether it arrived is not known. */
export class ConnectionLostError extends Error {
  override readonly name = "ConnectionLostError";
}

/** A double of a payment provider: keeps what it did by idempotency key. */
export class Payments {
  readonly #refunds = new Map<string, string>();
  /** Set: the next refund is made, and its answer is lost. */
  loseNextAnswer = false;

  /** The receipt of an earlier refund under this key. */
  async find(idempotencyKey: string): Promise<string | undefined> {
    return this.#refunds.get(idempotencyKey);
  }

  /** Refunds once per key. @throws ConnectionLostError */
  async refund(orderId: string, { idempotencyKey }: { idempotencyKey: string; signal: AbortSignal }): Promise<string> {
    const known = this.#refunds.get(idempotencyKey);
    if (known !== undefined) return known;
    const receipt = `refund of order ${orderId}, number ${this.#refunds.size + 1}`;
    this.#refunds.set(idempotencyKey, receipt);
    if (this.loseNextAnswer) {
      this.loseNextAnswer = false;
      throw new ConnectionLostError("connection reset");
    }
    return receipt;
  }
}
