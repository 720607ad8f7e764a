import { ServiceError } from '../../base/errors.ts';

/** Statuses with which services refuse tools; OpenRouter says 404, llama.cpp 500. */
const statuses: ReadonlySet<number> = new Set([400, 404, 405, 422, 500, 501]);

/** Whether a request was refused because it offers tools. A wrong address, or a model that is not there, is none of that. */
export function isToolRefusal(error: unknown): boolean {
  if (!(error instanceof ServiceError) || !statuses.has(error.status ?? 0)) return false;
  return /^(?:body\.)?tool/.test(error.param ?? '') || /\btools?\b|\btool_|\bfunction[ _-]?call/i.test(error.message);
}
