/** Steps of the graph in one turn; a long task takes thousands. */
export const RECURSION_LIMIT = 10_000;
