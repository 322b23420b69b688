import { isRecord } from './is-record';

/** Steps that checking may take, and entries of an `enum` that count as one step. A step takes up to 20 microseconds. */
const MAX_STEPS = 20_000;
const ENTRIES_PER_STEP = 50;

type Fields = Record<string, unknown>;

/**
 * Whether a value can be checked against a JSON Schema without references in a bounded number of steps. Alternatives inside
 * lists multiply: a schema of some thousand lines and a list of some hundred items would block the process for minutes.
 */
export function isCheapToCheck(schema: unknown, value: unknown, most = MAX_STEPS): boolean {
  const budget = { left: most };
  spend(schema, value, budget);
  return budget.left >= 0;
}

/** Walks as a validator does, but stops when the budget is spent. */
function spend(schema: unknown, value: unknown, budget: { left: number }): void {
  budget.left -= 1;
  if (!isRecord(schema)) return;
  if (Array.isArray(schema.enum)) budget.left -= schema.enum.length / ENTRIES_PER_STEP;
  for (const keyword of SAME_VALUE) each(schema[keyword], (one) => spend(one, value, budget), budget);
  if (Array.isArray(value)) spendItems(schema, value, budget);
  else if (isRecord(value)) spendProperties(schema, value, budget);
}

/** Keywords whose schemas are checked with the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];

function spendItems(schema: Fields, value: readonly unknown[], budget: { left: number }): void {
  const { items, prefixItems, additionalItems, contains } = schema;
  const tuple = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  for (const [index, item] of value.entries()) {
    if (budget.left < 0) return;
    spend(tuple[index] ?? rest, item, budget);
    if (contains !== undefined) spend(contains, item, budget);
  }
}

function spendProperties(schema: Fields, value: Fields, budget: { left: number }): void {
  const { properties, additionalProperties, propertyNames, dependentSchemas, dependencies } = schema;
  const known = isRecord(properties) ? properties : {};
  for (const [name, one] of Object.entries(value)) {
    if (budget.left < 0) return;
    spend(Object.hasOwn(known, name) ? known[name] : additionalProperties, one, budget);
    if (propertyNames !== undefined) spend(propertyNames, name, budget);
  }
  for (const group of [dependentSchemas, dependencies])
    if (isRecord(group)) each(Object.values(group), (one) => spend(one, value, budget), budget);
}

function each(schemas: unknown, act: (schema: unknown) => void, budget: { left: number }): void {
  if (schemas === undefined) return;
  for (const one of Array.isArray(schemas) ? schemas : [schemas]) {
    if (budget.left < 0) return;
    act(one);
  }
}
