/** Stands for the payment provider of a real tool: keeps what it did by idempotency key. */
export class Payments {
  readonly #refunds = new Map<string, string>();

  /** The receipt of an earlier refund under this key. */
  async find(idempotencyKey: string): Promise<string | undefined> {
    return this.#refunds.get(idempotencyKey);
  }

  /** Refunds once per key. */
  async refund(orderId: string, { idempotencyKey }: { idempotencyKey: string; signal: AbortSignal }): Promise<string> {
    const known = this.#refunds.get(idempotencyKey);
    if (known !== undefined) return known;
    const receipt = `refund of order ${orderId}, number ${this.#refunds.size + 1}`;
    this.#refunds.set(idempotencyKey, receipt);
    return receipt;
  }
}
