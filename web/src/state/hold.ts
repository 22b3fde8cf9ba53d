/** A switch that is on while it is held down, or from one short press to the next. */

/** Milliseconds from which on a press is a hold. */
const LONG = 400;

export class Hold {
  private since: number | null = null;

  constructor(
    private readonly isOn: () => boolean,
    private readonly turn: (on: boolean) => void,
  ) {}

  press(now = performance.now()): void {
    this.since = this.isOn() ? null : now;
    if (this.since !== null) this.turn(true);
  }

  release(now = performance.now()): void {
    if (this.since === null || now - this.since >= LONG) this.turn(false);
  }
}
