import { isRecord } from '../../base/is-record';

type Fields = Record<string, unknown>;

/**
 * The schema of a tool's arguments as one object without alternatives and conditions at its top, which several providers
 * reject. It allows more than the original: every property of every alternative, and only what all of them require.
 */
export function topObject(schema: Fields): Fields {
  const { allOf, anyOf, oneOf, not: _not, if: _if, then, else: otherwise, enum: _enum, ...rest } = schema;
  const all = fieldsOf(allOf).map(topObject);
  const some = [fieldsOf(anyOf), fieldsOf(oneOf)].map((group) => group.map(topObject));
  const maybe = fieldsOf([then, otherwise]).map(topObject);
  const parts = [...all, ...some.flat(), ...maybe];
  const required = new Set([
    ...namesOf(rest.required),
    ...all.flatMap((part) => namesOf(part.required)),
    ...some.flatMap((group) => shared(group.map((part) => namesOf(part.required)))),
  ]);
  const result: Fields = {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...parts.map(propertiesOf), propertiesOf(rest)),
  };
  if (required.size > 0) result.required = [...required];
  // The object alone may not know the properties of its parts.
  if (parts.length > 0) delete result.additionalProperties;
  return result;
}

const fieldsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const propertiesOf = ({ properties }: Fields): Fields => (isRecord(properties) ? properties : {});

const namesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const shared = ([first = [], ...others]: string[][]): string[] =>
  first.filter((name) => others.every((names) => names.includes(name)));
