/** What a service reports in place of an answer. */
export const reportedError = (message: unknown, code: unknown, type?: unknown): Error =>
  Object.assign(new Error(typeof message === 'string' ? message : JSON.stringify(message)), {
    name: 'APIError',
    code,
    type,
  });
