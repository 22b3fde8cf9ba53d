/** The visible part of a tree. Zooming scales heights much more than columns, whose labels need a stable width. */

export const MIN_ZOOM = 1;
export const MAX_ZOOM = 4000;
const MARGIN = 18;
/** Column widths are proportional to the zoom raised to this power. */
const COLUMN_EXPONENT = 0.12;

export class View {
  zoom = 1;
  /** The pixel position of the root's column and of the top of the tree. */
  left = MARGIN;
  top = MARGIN;
  /** The size of the canvas, in pixels. */
  width = 1;
  height = 1;
  /** The width of a column at zoom 1, in pixels. */
  columnWidth = 118;

  private get span(): number {
    return Math.max(1, this.height - 2 * MARGIN);
  }

  /** The distance between two columns, in pixels. */
  get pitch(): number {
    return this.columnWidth * this.zoom ** COLUMN_EXPONENT;
  }

  x(depth: number): number {
    return this.left + depth * this.pitch;
  }

  /** The pixel position of a height given as a fraction of the tree. */
  y(fraction: number): number {
    return this.top + fraction * this.span * this.zoom;
  }

  depthAt(x: number): number {
    return (x - this.left) / this.pitch;
  }

  fractionAt(y: number): number {
    return (y - this.top) / (this.span * this.zoom);
  }

  pan(x: number, y: number): void {
    this.left += x;
    this.top += y;
    this.clamp();
  }

  /** Zoom around a fixed point. */
  zoomAt(x: number, y: number, factor: number): void {
    const [depth, fraction] = [this.depthAt(x), this.fractionAt(y)];
    this.zoom = Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, this.zoom * factor));
    this.left = x - depth * this.pitch;
    this.top = y - fraction * this.span * this.zoom;
    this.clamp();
  }

  /** Show the whole height of the tree, starting at the root. */
  fit(): void {
    this.zoom = 1;
    this.left = MARGIN;
    this.top = MARGIN;
  }

  /** Pan as little as possible to make a node visible. */
  reveal(depth: number, top: number, bottom: number): void {
    const middle = this.y((top + bottom) / 2);
    if (middle < MARGIN || middle > this.height - MARGIN) this.top += this.height / 2 - middle;
    const x = this.x(depth);
    if (x < MARGIN) this.left += MARGIN - x;
    if (x > this.width - this.pitch) this.left -= x - (this.width - this.pitch);
    this.clamp();
  }

  /** Keep part of the tree visible. */
  private clamp(): void {
    const treeHeight = this.span * this.zoom;
    const slack = Math.min(this.height / 2, 80);
    this.top = Math.max(this.height - treeHeight - MARGIN - slack, Math.min(MARGIN + slack, this.top));
    this.left = Math.min(this.left, this.width * 0.6);
  }
}
