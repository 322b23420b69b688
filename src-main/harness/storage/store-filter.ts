import type { MatchCondition } from '@langchain/langgraph-checkpoint';
import { encodeNamespace } from '../../base/sqlite/store-namespaces';

const OPERATORS = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin']);

/** LangGraph's filter: each field equals a value, or matches every operator of an object of operators. */
export function matchesFilter(value: Record<string, unknown>, filter: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([field, wanted]) => meets(value[field], wanted));
}

function meets(value: unknown, wanted: unknown): boolean {
  const isTest =
    typeof wanted === 'object' && wanted !== null && Object.keys(wanted).every((key) => OPERATORS.has(key));
  if (!isTest) return value === wanted;
  return Object.entries(wanted).every(([operator, operand]) => passes(value, operator, operand));
}

function passes(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '$eq':
      return value === operand;
    case '$ne':
      return value !== operand;
    case '$gt':
      return Number(value) > Number(operand);
    case '$gte':
      return Number(value) >= Number(operand);
    case '$lt':
      return Number(value) < Number(operand);
    case '$lte':
      return Number(value) <= Number(operand);
    case '$in':
      return Array.isArray(operand) && operand.includes(value);
    case '$nin':
      return !Array.isArray(operand) || !operand.includes(value);
    default:
      return false;
  }
}

/** The page of a search, in whole numbers that a database accepts. Other stores take `Infinity` for all items. */
export function pageOf({ limit = 10, offset = 0 }: { limit?: number; offset?: number }): {
  limit: number;
  offset: number;
} {
  const rows = (count: number) => Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.trunc(count)));
  return { limit: rows(limit), offset: rows(offset) };
}

/** Whether a namespace starts or ends as the condition says; `*` stands for any one label. */
function matchesNamespace(namespace: readonly string[], condition: MatchCondition): boolean {
  const { path, matchType } = condition;
  if (path.length > namespace.length) return false;
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((label, index) => label === '*' || label === namespace[from + index]);
}

/** The requested page of these namespaces, cut to `maxDepth` labels and without duplicates. */
export function pageOfNamespaces(
  all: Iterable<string[]>,
  operation: { matchConditions?: MatchCondition[]; maxDepth?: number; limit?: number; offset?: number },
): string[][] {
  const { matchConditions = [], maxDepth, limit, offset = 0 } = operation;
  const distinct = new Map<string, string[]>();
  for (const namespace of all) {
    if (!matchConditions.every((condition) => matchesNamespace(namespace, condition))) continue;
    const cut = maxDepth === undefined ? namespace : namespace.slice(0, maxDepth);
    distinct.set(encodeNamespace(cut), cut);
  }
  return [...distinct.values()].slice(offset, offset + (limit ?? distinct.size));
}
