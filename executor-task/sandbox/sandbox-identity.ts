/** The kernel identity a command runs under (E77). */
export type SandboxIdentity =
  /** A user of its own, leased for this attempt by a supervisor that is root. */
  | { readonly kind: 'leased'; readonly uid: number }
  /** The caller's own user behind a user namespace; only good enough for a stack on one's own machine. */
  | { readonly kind: 'caller'; readonly uid: number };
