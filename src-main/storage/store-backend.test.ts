import { StoreBackend } from '../harness/backends';
import { describeBackend } from '../harness/backends/backend.contract';
import { SqliteStore } from './store';
import { temporaryDatabase } from './testing/fixtures';

describeBackend('StoreBackend on SqliteStore', async () => ({
  backend: new StoreBackend({ store: new SqliteStore(temporaryDatabase()), namespace: ['files'] }),
}));
