import { expect, it } from 'vitest';
import { isWebAddress, withScheme } from './web-address';

it.each([
  ['localhost:8080/v1', 'http://localhost:8080/v1'],
  ['127.0.0.1:1234', 'http://127.0.0.1:1234'],
  ['[::1]:1234/v1', 'http://[::1]:1234/v1'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
  ['https://api.example.com', 'https://api.example.com'],
  ['http://box:8000', 'http://box:8000'],
  ['localhost.example.com', 'https://localhost.example.com'],
])('reads %s as %s', (typed, address) => {
  expect(withScheme(typed)).toBe(address);
  expect(isWebAddress(address)).toBe(true);
});

it('leaves an empty address and other schemes as they are', () => {
  expect([withScheme(''), withScheme('ftp://a')]).toEqual(['', 'ftp://a']);
  expect(['ftp://a', 'https://a b', 'http://localhost:99999'].map(isWebAddress)).toEqual([
    false,
    false,
    false,
  ]);
});
