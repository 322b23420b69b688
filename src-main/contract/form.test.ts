import { expect, it } from 'vitest';
import { type FormField, formContent } from './form';

const field = (name: string, kind: FormField['kind'], more: Partial<FormField> = {}): FormField => ({
  ...{ name, label: name, description: '', required: false, options: [] },
  kind,
  ...more,
});
const options = ['red', 'green'].map((value) => ({ value, label: value }));

it('converts values to the types of their fields and leaves out empty ones', () => {
  const fields = [
    field('name', 'text', { required: true }),
    field('age', 'integer'),
    field('share', 'number'),
    field('sure', 'boolean'),
    field('color', 'choice', { options }),
    field('colors', 'choices', { options }),
    field('note', 'text'),
    field('none', 'choices', { options }),
  ];
  const values = {
    name: 'Ada',
    age: '36',
    share: 0.5,
    sure: false,
    color: 'red',
    colors: ['green'],
    note: '',
  };
  expect(formContent(fields, { ...values, none: [] })).toEqual({
    content: { name: 'Ada', age: 36, share: 0.5, sure: false, color: 'red', colors: ['green'] },
    wrong: {},
  });
});

it.each([
  [field('a', 'text', { required: true }), '', 'required'],
  [field('a', 'text', { max: 3 }), 'long', 'range'],
  [field('a', 'text', { format: 'email' }), 'nobody', 'format'],
  [field('a', 'text', { format: 'date' }), '2026-13-40', 'format'],
  [field('a', 'text'), 5, 'format'],
  [field('a', 'integer'), '1.5', 'number'],
  [field('a', 'number', { min: 1 }), '0', 'range'],
  [field('a', 'boolean'), 'yes', 'choice'],
  [field('a', 'choice', { options }), 'blue', 'choice'],
  [field('a', 'choices', { options, max: 1 }), ['red', 'green'], 'range'],
  [field('a', 'choices', { options }), ['blue'], 'choice'],
])('names what is wrong with a value: %#', (one, value, problem) => {
  expect(formContent([one], { a: value })).toEqual({ content: {}, wrong: { a: problem } });
});

it('takes no inherited property for a value', () => {
  expect(formContent([field('toString', 'text')], {})).toEqual({ content: {}, wrong: {} });
});
