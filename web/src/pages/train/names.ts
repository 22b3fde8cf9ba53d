/** Names of settings and measures as people read them. */

/** "random_share" is "Random share", "lambda_" is "Lambda". */
export function readable(name: string): string {
  const words = name.replace(/_+$/, "").replace(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A number of any size in few digits: 0.003, 1.25, 120. */
export function figure(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toFixed(digits).replace("-", "−");
}

/** The same with its sign: +0.25, −3. */
export function change(value: number): string {
  return value > 0 ? `+${figure(value)}` : figure(value);
}
