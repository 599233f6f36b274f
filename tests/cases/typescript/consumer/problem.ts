// What a gateway and its client write, and what the compiler must refuse.
import { BudgetError, isCode, SinkError } from "sink-errors";
import {
  fromProblem,
  fromResponse,
  MEDIA_TYPE,
  ResponseError,
  toProblem,
} from "sink-errors/problem";
import type {
  AnswerHead,
  HeadersLike,
  Problem,
  ProblemBody,
  ResponseLike,
} from "sink-errors/problem";

/** Compiles only where both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
function same<A, B>(_: Same<A, B>): void {}

export function answer(error: SinkError): Response {
  const problem = toProblem(error);
  same<typeof problem, Problem>(true);
  same<typeof problem.body.code, string | number>(true);
  same<typeof problem.body.retryable, boolean | null>(true);
  return new Response(JSON.stringify(problem.body), problem);
}

export async function ask(url: string): Promise<string> {
  const response = await fetch(url);
  const accepted: ResponseLike = response;
  if (response.ok) return response.text();
  const error = await fromResponse(accepted);
  same<typeof error, SinkError>(true);
  if (isCode(error, "budget")) return error.agent;
  throw await fromResponse(response);
}

export function read(text: string, bytes: Uint8Array, headers: Headers): void {
  const heads: (AnswerHead | undefined)[] = [
    undefined,
    {},
    { status: 502 },
    { status: 502, headers },
    { headers: { "retry-after": "7", "content-length": 7, via: ["a", "b"] } },
    { headers: new Map([["retry-after", "7"]]) as HeadersLike },
    new Response(text),
  ];
  for (const head of heads) {
    const error = fromProblem(bytes, head);
    same<typeof error, SinkError>(true);
    same<typeof error.extra, Readonly<Record<string, unknown>>>(true);
    fromProblem(JSON.parse(text), head);
  }
}

export function refused(error: unknown): number | undefined {
  if (!(error instanceof ResponseError)) return undefined;
  same<typeof error.status, number | undefined>(true);
  same<typeof error.retryAfter, number | string | undefined>(true);
  same<typeof error.name, string>(true);
  return error.status;
}

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array([123, 125]);
}
export const read2 = fromResponse({
  status: 502,
  headers: {},
  body: bytes(),
});
same<typeof MEDIA_TYPE, "application/problem+json">(true);
const problem = toProblem(new BudgetError("m", { agent: "a", tokensUsed: 7 }));
export const body: ProblemBody = problem.body;
export const fields: unknown = body.details?.["agent"];
export const made = [
  new ResponseError("m"),
  new ResponseError("m", { status: undefined, retryAfter: "7", cause: 1 }),
];

// @ts-expect-error: only errors of this catalogue
toProblem(new Error("m"));
// @ts-expect-error: nor its wire form
toProblem({ code: "budget", message: "m" });
// @ts-expect-error: what is told is read only
problem.status = 500;
// @ts-expect-error: the fields stand below
problem.body.agent;
// @ts-expect-error: a status is a number
fromProblem("{}", { status: "502" });
// @ts-expect-error: no such part of an answer
fromProblem("{}", { state: 502 });
// @ts-expect-error: a header is text
fromProblem("{}", { headers: { "retry-after": true } });
// @ts-expect-error: a body is no answer
fromResponse("{}");
// @ts-expect-error: nor is one without headers
fromResponse({ status: 502, body: null });
// @ts-expect-error: no text is a stream
fromResponse({ status: 502, headers: {}, body: "{}" });
// @ts-expect-error: it comes later
fromResponse(new Response()).code;
// @ts-expect-error: a message is wanted
new ResponseError();
// @ts-expect-error: a status is a number
new ResponseError("m", { status: "502" });
