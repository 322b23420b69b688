/**
 * Environment variables that make LangChain send all prompts and answers to LangSmith, route requests through its gateway,
 * or print them. Many agent developers have set them for their own programs.
 */
const SWITCHES = [
  'LANGSMITH_TRACING',
  'LANGSMITH_TRACING_V2',
  'LANGCHAIN_TRACING',
  'LANGCHAIN_TRACING_V2',
  'LANGSMITH_GATEWAY',
  'LANGCHAIN_VERBOSE',
];

/** Removes them from the process's own environment, which LangChain reads on each call. */
export function refuseTracing(env: Record<string, string | undefined>): void {
  for (const name of SWITCHES) delete env[name];
}
