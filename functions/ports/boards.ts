import type { GrantAction } from '../../schemas/public-api.ts';

/** Boards and who may do what on them (E20). No grant means no. */
export interface Boards {
  /** The creator gets every action. */
  create(board: string, principal: string, at: string): Promise<'CREATED' | 'EXISTS'>;
  exists(board: string): Promise<boolean>;
  /** Replaces the principal's grant; an empty list takes it away. */
  grant(board: string, principal: string, actions: GrantAction[], at: string): Promise<void>;
  readGrant(board: string, principal: string): Promise<GrantAction[]>;
}
