/** Each role may do what the roles before it may, but for `worker`, which stands beside submitter and operator. */
export const ROLES = ['viewer', 'submitter', 'operator', 'worker', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Who is asking: an engine handle is bound to one, and reaches no namespace outside it. */
export interface Principal {
  readonly name: string;
  readonly role: Role;
  /** null: all. */
  readonly namespaces: readonly string[] | null;
}

/** The embedding program itself, or the person on loopback. */
export const OWNER: Principal = { name: 'owner', role: 'admin', namespaces: null };

const ALSO: Record<Role, readonly Role[]> = {
  viewer: ['viewer'],
  submitter: ['viewer', 'submitter'],
  operator: ['viewer', 'submitter', 'operator'],
  worker: ['viewer', 'submitter', 'worker'],
  admin: ROLES,
};

export function hasRole(principal: Principal, needed: Role): boolean {
  return ALSO[principal.role].includes(needed);
}

export function mayUse(principal: Principal, namespace: string): boolean {
  return principal.namespaces === null || principal.namespaces.includes(namespace);
}

/** A named secret that stands for a principal. Only its hash is kept. */
export interface AccessToken extends Principal {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}
