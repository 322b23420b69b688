/**
 * What in the environment makes LangChain send everything that models are told and answer to LangSmith, send requests by
 * its gateway, or print them: many who write agents have set it for programs of their own.
 */
const SWITCHES = [
  'LANGSMITH_TRACING',
  'LANGSMITH_TRACING_V2',
  'LANGCHAIN_TRACING',
  'LANGCHAIN_TRACING_V2',
  'LANGSMITH_GATEWAY',
  'LANGCHAIN_VERBOSE',
];

/** Takes it out of the process's own environment, which LangChain asks at each call. */
export function refuseTracing(env: Record<string, string | undefined>): void {
  for (const name of SWITCHES) delete env[name];
}
