// What a consumer of the retry layer writes, and what the compiler must refuse.
import { HitlInterrupt, ModelError } from "agent-errors";
import {
  modelRetryMiddleware,
  nextDelay,
  shouldRetry,
  toolRetryMiddleware,
  withRetry,
} from "agent-errors/retry";
import type {
  ErrorClass,
  ModelMessage,
  RetryLayer,
  RetryOn,
  RetryOptions,
  ToolMessage,
} from "agent-errors/retry";

/** Compiles only where both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
function same<A, B>(_: Same<A, B>): void {}

interface Call {
  readonly tool: string;
}
interface Result {
  readonly rows: number;
}
const call: Call = { tool: "t" };
const handler = (request: Call): Promise<Result> =>
  Promise.resolve({ rows: request.tool.length });

// What a failed call gives follows from `onFailure`.
export async function results(): Promise<void> {
  const thrown = await toolRetryMiddleware()(call, handler);
  same<typeof thrown, Result>(true);
  const told = await toolRetryMiddleware({ onFailure: "error" })(call, handler);
  same<typeof told, Result>(true);

  const tool = await toolRetryMiddleware({ onFailure: "continue" })(
    call,
    handler,
  );
  same<typeof tool, Result | ToolMessage>(true);
  if ("status" in tool) same<typeof tool.status, "error">(true);
  const model = await modelRetryMiddleware({ onFailure: "continue" })(
    call,
    handler,
  );
  same<typeof model, Result | ModelMessage>(true);
  if ("role" in model) same<typeof model.finish_reason, "error">(true);

  const own = await toolRetryMiddleware({
    onFailure: "continue",
    toMessage: (text, error, request: Call) => {
      same<typeof text, string>(true);
      same<typeof error, unknown>(true);
      return { text, of: request.tool } as const;
    },
  })(call, handler);
  same<typeof own, Result | { readonly text: string; readonly of: string }>(
    true,
  );

  const asked = await toolRetryMiddleware({
    onFailure: async (error) => {
      same<typeof error, unknown>(true);
      return Math.random() > 0.5 ? 7 : undefined;
    },
  })(call, handler);
  same<typeof asked, Result | 7 | string>(true);
  const nothing = await toolRetryMiddleware({ onFailure: () => {} })(
    call,
    handler,
  );
  same<typeof nothing, Result | string>(true);
}

// A wrapped function keeps its parameters, and always gives a promise.
export class Search {
  readonly limit = 5;

  find = withRetry(async function find(
    this: Search,
    text: string,
    at: number = 0,
    ...more: boolean[]
  ): Promise<string[]> {
    return [text].slice(at, more.length + this.limit);
  });
}

export async function wrapped(search: Search): Promise<void> {
  const found = await search.find("text", 1, true, false);
  same<typeof found, string[]>(true);
  // @ts-expect-error: no number is a text
  await search.find(1);
  // @ts-expect-error: the text is missing
  await search.find();

  const parse = withRetry((text: string) => text.length, {
    onFailure: "continue",
  });
  same<typeof parse, (this: unknown, text: string) => Promise<number | string>>(
    true,
  );
  const add = toolRetryMiddleware({ onFailure: "continue" })(
    (a: number, b?: number) => a + (b ?? 0),
  );
  same<
    typeof add,
    (this: unknown, a: number, b?: number) => Promise<number | ToolMessage>
  >(true);
  const own = withRetry(() => 7, {
    onFailure: "continue",
    toMessage: async (text) => [text],
  });
  same<typeof own, (this: unknown) => Promise<number | string[]>>(true);
  const asked = withRetry(() => 7, { onFailure: () => true });
  same<typeof asked, (this: unknown) => Promise<number | boolean | string>>(
    true,
  );
  const generic = withRetry(<T>(value: T): T[] => [value]);
  const numbers: Promise<number[]> = generic(7);
  await numbers;
}

// A host's own wrapper of any function.
export function steady<A extends unknown[], R>(
  fn: (...args: A) => R,
): (...args: A) => Promise<Awaited<R>> {
  return toolRetryMiddleware()(withRetry(fn));
}
export function steadier<Q, R>(request: Q, next: (request: Q) => R) {
  return toolRetryMiddleware()(request, next);
}

const controller = new AbortController();
const classes: readonly ErrorClass[] = [ModelError, HitlInterrupt, TypeError];
const filter: RetryOn = (error) => error instanceof RangeError;
export const options: RetryOptions = {
  retryOn: classes,
  maxRetries: 3,
  initialDelayMs: 0.5,
  backoffFactor: 1.5,
  maxDelayMs: 10,
  jitter: false,
  context: { idempotent: true },
  signal: controller.signal,
  onRetry: (retry, error, delayMs) => {
    same<typeof retry, number>(true);
    same<typeof error, unknown>(true);
    same<typeof delayMs, number>(true);
  },
  sleep: async (ms, signal) => {
    same<typeof ms, number>(true);
    same<typeof signal, AbortSignal | undefined>(true);
  },
  random: Math.random,
  clock: Date.now,
};
export const layers: RetryLayer<never>[] = [
  toolRetryMiddleware(options),
  toolRetryMiddleware({ retryOn: ModelError }),
  toolRetryMiddleware({ retryOn: [TypeError, DOMException] }),
  modelRetryMiddleware({ retryOn: filter, signal: undefined }),
  modelRetryMiddleware({ ...options, onFailure: "error", maxRetries: 0 }),
];

export const answers: (boolean | number | undefined)[] = [
  shouldRetry(new Error("m")),
  shouldRetry("anything", [TypeError], { idempotent: true }),
  nextDelay(0),
  nextDelay(3, new Error("m"), { jitter: false, maxDelayMs: 5 }),
];

// @ts-expect-error: no such option
toolRetryMiddleware({ maxRetry: 3 });
// @ts-expect-error: no such option
toolRetryMiddleware({ max_retries: 3 });
// @ts-expect-error: no text is a number
toolRetryMiddleware({ maxRetries: "3" });
// @ts-expect-error: no word of that name
toolRetryMiddleware({ onFailure: "raise" });
// @ts-expect-error: no class of errors
toolRetryMiddleware({ retryOn: Map });
// @ts-expect-error: no class of errors
toolRetryMiddleware({ retryOn: [TypeError, String] });
// @ts-expect-error: no name of an error
toolRetryMiddleware({ retryOn: "TypeError" });
// @ts-expect-error: an error is no class
toolRetryMiddleware({ retryOn: new Error("m") });
// @ts-expect-error: a promise is no answer
toolRetryMiddleware({ retryOn: async () => true });
// @ts-expect-error: anything may be thrown
toolRetryMiddleware({ retryOn: (error: TypeError) => error.message === "" });
// @ts-expect-error: a controller is no signal
toolRetryMiddleware({ signal: controller });
// @ts-expect-error: facts have types
toolRetryMiddleware({ context: "idempotent" });
// @ts-expect-error: there is no message of what is thrown
toolRetryMiddleware({ toMessage: () => 1 });
// @ts-expect-error: nor beside a function that answers
toolRetryMiddleware({ onFailure: () => 1, toMessage: () => 1 });
const wrong = (text: number): number => text;
// @ts-expect-error: a message has a text
toolRetryMiddleware({ onFailure: "continue", toMessage: wrong });
// @ts-expect-error: milliseconds, not text
toolRetryMiddleware({ onRetry: (_: number, __: unknown, ms: string) => ms });
// @ts-expect-error: a handler is missing
toolRetryMiddleware()(call);
// @ts-expect-error: a handler of another request
toolRetryMiddleware()("text", handler);
// @ts-expect-error: no function
withRetry(call);
// @ts-expect-error: a class is none either
withRetry(class {});
// @ts-expect-error: an attempt is a number
nextDelay("1");
// @ts-expect-error: that is no matter of a delay
nextDelay(1, undefined, { maxRetries: 1 });
// @ts-expect-error: no such file
export type None = typeof import("agent-errors/runtime");
