import { AppError, type ErrorCode } from './app-error.js';

export interface WorkerCall {
  id: number;
  method: string;
  payload: unknown;
}

export interface WorkerAnswer {
  id: number;
  value?: unknown;
  error?: FlatError;
}

/** An error as it crosses a thread: class and code would otherwise be lost. */
export interface FlatError {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  stack?: string;
}

export function flattenError(error: unknown): FlatError {
  if (error instanceof AppError) return { code: error.code, message: error.message, retryable: error.retryable };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: 'internal', message, retryable: false, ...(stack === undefined ? {} : { stack }) };
}

export function reviveError({ code, message, retryable, stack }: FlatError): AppError {
  return new AppError(code, message, { retryable, cause: stack });
}
