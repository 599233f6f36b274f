import { BudgetError } from "sink-errors";
import { fromProblem, toProblem } from "sink-errors/problem";
import * as problem from "sink-errors/problem";

const fields = { agent: "a", tokensUsed: 7 };
console.log(JSON.stringify(new BudgetError("m", fields).code));
