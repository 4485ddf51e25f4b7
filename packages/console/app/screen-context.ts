import type { Collection, Scope, SessionInfo } from './api';
import type { Loaded } from './load';

/** What every screen gets. */
export interface ScreenContext {
  may(scope: Scope): boolean;
  session: SessionInfo;
  /** As the API calls it. */
  collection: string;
  collections: Loaded<{ collections: Collection[] }>;
}
