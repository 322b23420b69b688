// What @langchain/core takes from LangSmith's client in the app's bundle, where `without-tracing.mjs` puts it: nothing is ever
// traced. LangChain keeps the settings of each step in a RunTree, so creating one must be cheap.

export class RunTree {
  /** @param {object} config */
  constructor(config) {
    Object.assign(this, config);
  }

  /** @param {object} config */
  createChild(config) {
    return new RunTree(config);
  }

  async end() {}

  async postRun() {}

  async patchRun() {}
}

/** @param {unknown} value */
export const isRunTree = (value) => value instanceof RunTree;

/** The client of a tracer, which sends nothing. */
export class Client {}

export const getDefaultProjectName = () => 'default';

/**
 * The place of a run among others, as in LangSmith's client. All tracers need it, also those that send nothing.
 * @param {number} epoch milliseconds since 1970
 * @param {string} runId
 */
export function convertToDottedOrderFormat(epoch, runId, executionOrder = 1) {
  const order = executionOrder.toFixed(0).slice(0, 3).padStart(3, '0');
  const microsecondPrecisionDatestring = `${new Date(epoch).toISOString().slice(0, -1)}${order}Z`;
  return {
    dottedOrder: microsecondPrecisionDatestring.replaceAll(/[-:.]/g, '') + runId,
    microsecondPrecisionDatestring,
  };
}
