import { expect, it } from 'vitest';
import { isOpenToOthers } from './agent-draft';

it.each([
  ['http://localhost:2024', false],
  ['127.0.0.1:2024', false],
  ['http://127.1', false],
  ['http://[::1]:2024', false],
  ['https://agents.example.com', false],
  ['http://agents.example.com', true],
  ['http://localhost.example.com', true],
  ['http://127.example.com', true],
  ['', false],
])('tells whether others could read what is sent to “%s”: %s', (address, isOpen) => {
  expect(isOpenToOthers(address)).toBe(isOpen);
});
