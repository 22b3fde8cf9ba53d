/** A switch that is on while it is held down, or from one short press to the next. */

/** Milliseconds from which on a press is a hold. */
const LONG = 400;

export class Hold {
  private since: number | null = null;

  constructor(
    private readonly isOn: () => boolean,
    private readonly turn: (on: boolean) => void,
  ) {}

  /** `time` and that of `release` are of the events themselves: on a busy machine they are handled later. */
  press(time: number): void {
    this.since = this.isOn() ? null : time;
    if (this.since !== null) this.turn(true);
  }

  release(time: number): void {
    if (this.since === null || time - this.since >= LONG) this.turn(false);
  }
}
