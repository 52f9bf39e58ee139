import { attempt, permit, GONE, NO_FAMILY, type Probe } from './probe.ts';
import type { Outside } from './stand-outside.ts';

/** Probes of the network and sockets. */
export function listNetworkProbes(outside: Outside): Probe[] {
  return [
    attempt(
      'E86 cannot open TCP to this machine',
      NO_FAMILY,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '127.0.0.1',
      String(outside.tcpPort),
    ),
    attempt(
      'E86 cannot open TCP to the world',
      NO_FAMILY,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '1.1.1.1',
      '443',
    ),
    attempt(
      'E86 cannot open IPv6',
      NO_FAMILY,
      'connect',
      'AF_INET6',
      'SOCK_STREAM',
      '::1',
      String(outside.tcpPort),
    ),
    attempt('E86 cannot send UDP', NO_FAMILY, 'send', '127.0.0.1', String(outside.udpPort)),
    attempt(
      'E85 cannot reach the instance metadata address',
      NO_FAMILY,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '169.254.169.254',
      '80',
    ),
    attempt(
      'E85 cannot reach the task metadata address',
      NO_FAMILY,
      'connect',
      'AF_INET',
      'SOCK_STREAM',
      '169.254.170.2',
      '80',
    ),
    attempt('E86 cannot open netlink', NO_FAMILY, 'open_socket', '16', '3'),
    attempt('E86 cannot open packets', NO_FAMILY, 'open_socket', '17', '3'),
    attempt('E86 cannot open vsock', NO_FAMILY, 'open_socket', '40', '1'),
    attempt('E86 cannot open kernel cryptography', NO_FAMILY, 'open_socket', '38', '5'),
    attempt(
      'E81 cannot reach a socket by path',
      GONE,
      'connect',
      'AF_UNIX',
      'SOCK_STREAM',
      outside.socketPath,
    ),
    attempt(
      'E81 cannot reach an abstract socket',
      ['ECONNREFUSED'],
      'connect',
      'AF_UNIX',
      'SOCK_STREAM',
      `@${outside.abstractName}`,
    ),
    permit('E86 can talk to itself by socket pair', 'hello', 'socket_pair'),
  ];
}
