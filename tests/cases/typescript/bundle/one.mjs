import { ModelError } from "agent-errors";

console.log(JSON.stringify(new ModelError("m", { status: 503 })));
