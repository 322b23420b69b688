import { z } from 'zod';
import { ModelsState } from '../app';

export const modelsEvents = [z.object({ type: z.literal('models.changed'), models: ModelsState })] as const;
