/** Jobs: tournaments and training runs on the server, which keep running after the tab is closed. */

import type { Schemas } from "../api/client";
import { formatDuration } from "../parts/format";
import { sendWhileMounted, listen } from "../state/socket.svelte";

export type Job = Schemas["JobView"];
export type Kind = "tournament" | "training";

/** Calls the handler on every update to a job. Returns a function that ends the subscription. */
export function subscribeJob(kind: Kind, key: string, onupdate: (job: Job) => void): () => void {
  const removeListener = listen("job", (message) => {
    if (message.job.kind === kind && message.job.key === key) onupdate(message.job);
  });
  const unsubscribe = sendWhileMounted(
    { type: "subscribe_job", kind, key, subscribe: true },
    { type: "subscribe_job", kind, key, subscribe: false },
  );
  return () => {
    removeListener();
    unsubscribe();
  };
}

/** Whether a job is running or queued. */
export function isActive(job: Job): boolean {
  return job.state === "running" || job.state === "queued";
}

const STATES: Record<Job["state"], string> = {
  idle: "not finished",
  queued: "queued",
  running: "",
  stopped: "stopped",
  done: "finished",
  failed: "failed",
};

/** The progress of a job: "42 of 84 games · 63 per minute · 40 s left". */
export function jobStatus(job: Job): string {
  const parts = [`${job.done} of ${job.total} ${job.total === 1 ? "game" : "games"}`];
  if (STATES[job.state]) parts.push(STATES[job.state]);
  if (job.state === "running") {
    if (job.per_minute !== null) parts.push(`${Math.round(job.per_minute)} per minute`);
    if (job.seconds_remaining !== null) parts.push(`${formatDuration(job.seconds_remaining)} left`);
  }
  return parts.join(" · ");
}

/** Throttles `run` to one call per interval. A call during an interval is delayed until its end. */
export function throttle(run: () => void, milliseconds: number): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRun = 0;
  return {
    call: () => {
      if (timer !== undefined) return;
      const delay = Math.max(0, lastRun + milliseconds - Date.now());
      timer = setTimeout(() => {
        timer = undefined;
        lastRun = Date.now();
        run();
      }, delay);
    },
    cancel: () => clearTimeout(timer),
  };
}
