// Vitest runs this before each test file of the renderer, after the setup that all test files share.
import { configure } from '@testing-library/react';
import { afterAll, vi } from 'vitest';
import { WITHIN } from '../../scripts/testing/waiting';
import { rememberDocument, resetDocument } from './one-document';

// Stores and caches of modules start empty in each file.
vi.resetModules();
rememberDocument();
afterAll(resetDocument);
configure({ asyncUtilTimeout: WITHIN });
