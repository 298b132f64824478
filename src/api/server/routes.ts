import type { Route } from './route.ts';
import { attemptRoutes } from './routes/attempt-routes.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { leaseRoutes } from './routes/lease-routes.ts';
import { namespaceRoutes } from './routes/namespace-routes.ts';
import { nodeRoutes } from './routes/node-routes.ts';
import { outputRoutes } from './routes/output-routes.ts';
import { queueRoutes } from './routes/queue-routes.ts';
import { taskRoutes } from './routes/task-routes.ts';
import { tokenRoutes } from './routes/token-routes.ts';

export const ROUTES: readonly Route[] = [
  ...queueRoutes,
  ...taskRoutes,
  ...attemptRoutes,
  ...outputRoutes,
  ...nodeRoutes,
  ...namespaceRoutes,
  ...leaseRoutes,
  ...tokenRoutes,
  ...healthRoutes,
];
