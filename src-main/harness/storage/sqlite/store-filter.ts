import type { MatchCondition } from '@langchain/langgraph-checkpoint';

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

let last: { labels: readonly string[]; text: string } = { labels: [], text: '[]' };

/** Namespaces are stored as JSON lists, which no label can imitate. */
export function encodeNamespace(namespace: readonly string[]): string {
  // The same namespace is often encoded many times in a row.
  const { labels, text } = last;
  if (labels.length === namespace.length && labels.every((label, index) => label === namespace[index]))
    return text;
  last = { labels: [...namespace], text: JSON.stringify(namespace) };
  return last.text;
}
export const decodeNamespace = (text: string): string[] => JSON.parse(text);

/**
 * The range of column values below the namespace, from `from` up to but excluding `to`. It excludes the namespace itself.
 */
export function namespacesBelow(namespace: readonly string[]): { from: string; to: string } {
  if (namespace.length === 0) return { from: '[', to: ']' };
  const stem = encodeNamespace(namespace).slice(0, -1);
  // Every further label starts with a comma; a hyphen is the next character after it.
  return { from: `${stem},`, to: `${stem}-` };
}
