/** Long work that goes on when the tab is closed: followed over the socket, told in words. */

import type { Schemas } from "../api/client";
import { duration } from "../parts/numbers";
import { hold, listen } from "../state/socket.svelte";

export type Work = Schemas["WorkView"];
export type Kind = "tournament" | "run";

/** Calls the handler with every word of some work until the returned function is called. */
export function followWork(kind: Kind, key: string, told: (work: Work) => void): () => void {
  const stop = listen("work", (message) => {
    if (message.work.kind === kind && message.work.key === key) told(message.work);
  });
  const leave = hold({ type: "follow_work", kind, key, follow: true }, { type: "follow_work", kind, key, follow: false });
  return () => {
    stop();
    leave();
  };
}

/** Whether somebody works on it or will soon. */
export function underWay(work: Work): boolean {
  return work.state === "running" || work.state === "waiting";
}

const STATES: Record<Work["state"], string> = {
  idle: "not finished",
  waiting: "waits its turn",
  running: "",
  stopped: "stopped",
  done: "finished",
  failed: "failed",
};

/** "42 of 84 games · 63 a minute · 40 s left". */
export function workWords(work: Work): string {
  const parts = [`${work.done} of ${work.total} games`];
  if (STATES[work.state]) parts.push(STATES[work.state]);
  if (work.state === "running") {
    if (work.per_minute !== null) parts.push(`${Math.round(work.per_minute)} a minute`);
    if (work.seconds_left !== null) parts.push(`${duration(work.seconds_left)} left`);
  }
  return parts.join(" · ");
}

/** Runs something now, and again at most so often; the last call is never lost. */
export function sparingly(run: () => void, milliseconds: number): { ask: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  return {
    ask: () => {
      if (timer !== undefined) return;
      const wait = Math.max(0, last + milliseconds - Date.now());
      timer = setTimeout(() => {
        timer = undefined;
        last = Date.now();
        run();
      }, wait);
    },
    stop: () => clearTimeout(timer),
  };
}
