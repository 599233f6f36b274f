// Error classes written by hand, with the constructors that the generated ones have.

const STAMP = Symbol.for("by-hand.retryable");

export class HandError extends Error {
  constructor(message, { cause, retryable } = {}) {
    if (typeof message !== "string") {
      throw new TypeError(`the message must be a string, not ${message}`);
    }
    super(message, cause === undefined ? undefined : { cause });
    if (retryable !== undefined && typeof retryable !== "boolean") {
      throw new TypeError(`retryable must be a boolean, not ${retryable}`);
    }
    this.code = this.constructor.code;
    this.retryable = retryable ?? this.constructor.retryable;
  }
}

export class PlainError extends HandError {
  static code = "PLAIN";
  static retryable = false;
  static fields = [];
  static {
    this.prototype.name = "PlainError";
  }
}

export class StatusError extends HandError {
  static code = "STATUS";
  static fields = ["status"];
  static {
    this.prototype.name = "StatusError";
  }
  constructor(message, { status, ...options } = {}) {
    super(message, options);
    if (status !== undefined) {
      if (typeof status !== "number") {
        throw new TypeError(`status must be a number, not ${status}`);
      }
      if (!Number.isInteger(status) || status < 100 || status > 599) {
        throw new RangeError(`status must be from 100 to 599, not ${status}`);
      }
      this.status = status;
    }
    this.retryable ??= status === undefined || status < 400 || status > 499;
  }
}

export function getRetryable(error) {
  if (typeof error !== "object" || error === null) return undefined;
  const ours = error instanceof HandError;
  const { pinned } = error.constructor;
  if (ours && pinned !== undefined) return pinned;
  const verdict = error[STAMP] ?? (ours ? error.retryable : undefined);
  return typeof verdict === "boolean" ? verdict : undefined;
}

export function toWire(error) {
  if (!(error instanceof HandError)) {
    throw new TypeError("toWire takes an error of this package");
  }
  const data = {
    code: error.code,
    message: error.message,
    retryable: getRetryable(error) ?? null,
  };
  for (const name of error.constructor.fields) {
    if (error[name] !== undefined) data[name] = error[name];
  }
  return data;
}
