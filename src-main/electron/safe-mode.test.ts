import { expect, it, vi } from 'vitest';
import { safeModeCommand } from './safe-mode';

const app = vi.hoisted(() => ({ isPackaged: true }));
vi.mock('electron', () => ({ app, dialog: {} }));

it('is started with a command that the person has', () => {
  expect(safeModeCommand()).toBe('deepdesk --safe-mode');
  app.isPackaged = false;
  expect(safeModeCommand()).toBe('npm start -- --safe-mode');
});
