/** Number formatting for training metrics and weights. */

/** A number with about three significant digits: "0.003", "1.25", "120". */
export function formatNumber(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toFixed(digits).replace("-", "−");
}

/** A number with its sign: "+0.250", "−3.00". */
export function formatChange(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}
