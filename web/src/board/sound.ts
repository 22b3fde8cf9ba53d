/** Small sounds made on the spot; silent unless the visitor turned them on. */

import { settings } from "../state/settings.svelte";

export type Sound = "move" | "capture" | "end";

let context: AudioContext | undefined;

function knock(at: number, pitch: number, loudness: number, length: number): void {
  if (!context) return;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, at + length);
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}

export function play(sound: Sound): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  if (sound === "move") knock(now, 320, 0.22, 0.07);
  else if (sound === "capture") {
    knock(now, 300, 0.24, 0.07);
    knock(now + 0.06, 210, 0.26, 0.1);
  } else for (const [at, pitch] of [330, 415, 495].entries()) knock(now + at * 0.11, pitch, 0.2, 0.24);
}
