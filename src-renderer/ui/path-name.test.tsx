import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { PathName } from './path-name';

afterEach(cleanup);

it('shows the end of a long name in its folder', () => {
  const { container } = render(
    <PathName path="src/checkout/payment-methods-of-returning-customers.test.ts" />,
  );
  const parts = [...container.querySelectorAll('[aria-hidden] bdi')].map((part) => part.textContent);
  expect(parts).toEqual(['payment-methods-of-returning-custome', 'rs.test.ts']);
  expect(container.textContent).toContain('src/checkout');
});
