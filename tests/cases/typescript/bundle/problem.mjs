import { BudgetError, isCode } from "sink-errors";
import { fromResponse, toProblem } from "sink-errors/problem";

const made = new BudgetError(undefined, {
  agent: "a",
  tokensUsed: 7,
  wait: 3,
});
const { body, ...head } = toProblem(made);
const error = await fromResponse(new Response(JSON.stringify(body), head));
const refused = await fromResponse(new Response("<html>")).catch((e) => e);
console.log(
  JSON.stringify([
    error.name,
    isCode(error, "budget"),
    error.wait,
    error.message,
    refused.name,
    refused.status,
    refused.message,
  ]),
);
