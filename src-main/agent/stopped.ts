/** What the agent above is told of a sub-agent that the person stopped. */
export const STOPPED_BY_PERSON =
  'The person stopped this sub-agent before it finished, so there is no report. What it had changed in the folder stays changed. Do not start it again unless the person asks for it.';
