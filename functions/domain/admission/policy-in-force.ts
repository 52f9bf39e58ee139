/** The version of the policy that this controller applies; a plan pins the one it was admitted under (E62). */
export const policyVersionInForce = 1;
