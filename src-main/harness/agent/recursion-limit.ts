/** Graph steps in one turn. A long task takes thousands. */
export const RECURSION_LIMIT = 10_000;
