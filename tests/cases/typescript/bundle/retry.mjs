import { nextDelay, toolRetryMiddleware } from "agent-errors/retry";

const { signal } = new AbortController();
const layer = toolRetryMiddleware({
  retryOn: [TypeError],
  maxRetries: 1,
  initialDelayMs: 1,
  onFailure: "continue",
  signal,
});
let calls = 0;
const handler = async (request) => {
  calls += 1;
  if (request !== "retried" || calls < 2) throw new TypeError("m");
  return "done";
};
const result = await layer("retried", handler);
const { content } = await layer("lost", async (request) => {
  calls += request === "lost" ? 0.5 : 0;
  throw new TypeError("m");
});
const delay = nextDelay(0, undefined, { random: () => 1 });
console.log(JSON.stringify([result, calls, content, delay]));
