/** What part of the tree is seen. Heights grow with the zoom, columns much less: they are told apart by words, not by room. */

export const FARTHEST = 1;
export const CLOSEST = 4000;
const MARGIN = 18;

export class View {
  zoom = 1;
  /** Pixels from the left edge to the root's column, from the top edge to the top of the tree. */
  left = MARGIN;
  top = MARGIN;
  width = 1;
  height = 1;
  column = 118;

  private get span(): number {
    return Math.max(1, this.height - 2 * MARGIN);
  }

  /** Pixels between two columns. */
  get pitch(): number {
    return this.column * this.zoom ** 0.12;
  }

  x(depth: number): number {
    return this.left + depth * this.pitch;
  }

  y(part: number): number {
    return this.top + part * this.span * this.zoom;
  }

  depthAt(x: number): number {
    return (x - this.left) / this.pitch;
  }

  partAt(y: number): number {
    return (y - this.top) / (this.span * this.zoom);
  }

  pan(x: number, y: number): void {
    this.left += x;
    this.top += y;
    this.hold();
  }

  /** Zooms so that what is under a point stays there. */
  zoomAt(x: number, y: number, factor: number): void {
    const [depth, part] = [this.depthAt(x), this.partAt(y)];
    this.zoom = Math.max(FARTHEST, Math.min(CLOSEST, this.zoom * factor));
    this.left = x - depth * this.pitch;
    this.top = y - part * this.span * this.zoom;
    this.hold();
  }

  /** All of the height, from the root on. */
  fit(): void {
    this.zoom = 1;
    this.left = MARGIN;
    this.top = MARGIN;
  }

  /** Moves the least that brings a place into sight. */
  reveal(depth: number, top: number, bottom: number): void {
    const middle = this.y((top + bottom) / 2);
    if (middle < MARGIN || middle > this.height - MARGIN) this.top += this.height / 2 - middle;
    const x = this.x(depth);
    if (x < MARGIN) this.left += MARGIN - x;
    if (x > this.width - this.pitch) this.left -= x - (this.width - this.pitch);
    this.hold();
  }

  /** Keeps some of the tree in sight. */
  private hold(): void {
    const whole = this.span * this.zoom;
    const slack = Math.min(this.height / 2, 80);
    this.top = Math.max(this.height - whole - MARGIN - slack, Math.min(MARGIN + slack, this.top));
    this.left = Math.min(this.left, this.width * 0.6);
  }
}
