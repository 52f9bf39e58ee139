import { describe, expect, it } from 'vitest';
import { readPrincipal } from '../../../functions/middleware/read-principal.ts';

describe('readPrincipal', () => {
  it.each([
    ['arn:aws:sts::123456789012:assumed-role/team/ana', 'arn:aws:iam::123456789012:role/team'],
    ['arn:aws:sts::123456789012:assumed-role/team/a/b@c', 'arn:aws:iam::123456789012:role/team'],
    [
      'arn:aws-cn:sts::123456789012:assumed-role/team/ana',
      'arn:aws-cn:iam::123456789012:role/team',
    ],
    [
      'arn:aws-us-gov:sts::123456789012:assumed-role/team/ana',
      'arn:aws-us-gov:iam::123456789012:role/team',
    ],
  ])('E20 takes the session %s for its role', (session, role) => {
    expect(readPrincipal(session)).toBe(role);
  });

  it.each([
    'arn:aws:iam::123456789012:user/ana',
    'arn:aws:iam::123456789012:user/path/ana',
    'arn:aws:iam::123456789012:root',
    'arn:aws:sts::123456789012:federated-user/ana',
    'arn:aws:sts::123456789012:assumed-role/team',
    'arn:aws:sts::12345:assumed-role/team/ana',
    'xarn:aws:sts::123456789012:assumed-role/team/ana',
  ])('E20 leaves %s as it is: it is no session of a role', (arn) => {
    expect(readPrincipal(arn)).toBe(arn);
  });
});
