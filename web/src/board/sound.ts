/** Synthesized sounds, played only if enabled in the settings. */

import { settings } from "../state/settings.svelte";

export type Sound = "move" | "capture" | "end";

let context: AudioContext | undefined;

/** Play a tone that falls by one octave. `start` and `length` are in seconds, `frequency` is in hertz. */
function playTone(start: number, frequency: number, volume: number, length: number): void {
  if (!context) return;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(frequency, start);
  oscillator.frequency.exponentialRampToValueAtTime(frequency / 2, start + length);
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

export function play(sound: Sound): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  if (sound === "move") playTone(now, 320, 0.22, 0.07);
  else if (sound === "capture") {
    playTone(now, 300, 0.24, 0.07);
    playTone(now + 0.06, 210, 0.26, 0.1);
  } else {
    for (const [index, frequency] of [330, 415, 495].entries()) playTone(now + index * 0.11, frequency, 0.2, 0.24);
  }
}
