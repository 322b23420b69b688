import { z } from 'zod';
import { UpdateView } from '../updates';

export const updatesEvents = [z.object({ type: z.literal('updates.changed'), updates: UpdateView })] as const;
