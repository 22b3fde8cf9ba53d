/** A toggle that is on while held down; a short press leaves it on until the next press. */

/** Milliseconds after which a press counts as held. */
const HOLD_DELAY = 400;

export class HoldToggle {
  private pressedAt: number | null = null;

  constructor(
    private readonly isOn: () => boolean,
    private readonly set: (on: boolean) => void,
  ) {}

  /** `time` is the event's timestamp, because a busy browser may handle the event late. */
  press(time: number): void {
    this.pressedAt = this.isOn() ? null : time;
    if (this.pressedAt !== null) this.set(true);
  }

  release(time: number): void {
    if (this.pressedAt === null || time - this.pressedAt >= HOLD_DELAY) this.set(false);
  }
}
