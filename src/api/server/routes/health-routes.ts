import { examineStore, getHealth } from '../../contract/health-endpoints.ts';
import { type Route, route } from '../route.ts';

export const healthRoutes: readonly Route[] = [
  route(getHealth, ({ engine }) => engine.health()),
  route(examineStore, ({ engine }) => engine.examine()),
];
