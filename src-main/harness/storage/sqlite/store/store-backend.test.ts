import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { StoreBackend } from '../../../backends';
import { describeBackend } from '../../../backends/backend.contract';
import { SqliteStore } from './store';

describeBackend('StoreBackend on SqliteStore', async () => ({
  backend: new StoreBackend({ store: new SqliteStore(temporaryDatabase()), namespace: ['files'] }),
}));
