/** What a system call that the policy refuses is answered with. `hostile` is a violation (E94). */
export type SyscallAnswer = 'hostile' | 'EPERM' | 'ENOSYS' | 'EAFNOSUPPORT' | 'EOPNOTSUPP';

/** A call that is refused for some values of one argument, of which only the low 32 bits are compared. */
export interface ArgumentRule {
  readonly syscalls: readonly string[];
  /** Index of the argument, from 0. */
  readonly argument: number;
  readonly mask: number;
  /** Refuse when the masked argument is, or is not, one of `values`. */
  readonly refuseWhen: 'one-of' | 'none-of';
  readonly values: readonly number[];
  readonly answer: SyscallAnswer;
}

export interface SandboxPolicy {
  readonly version: number;
  /** Refused whatever the arguments, by answer. Names that an architecture does not have are skipped there. */
  readonly refused: Readonly<Record<SyscallAnswer, readonly string[]>>;
  /** Refused with ENOSYS where no memory cgroup counts what these hold. */
  readonly refusedWithoutMemoryGroup: readonly string[];
  readonly argumentRules: readonly ArgumentRule[];
}

const ALL_BITS = 0xffff_ffff;
const AF_UNIX = 1;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const SECCOMP_FILTER_FLAG_NEW_LISTENER = 0x8;
const FILE_TYPE_MASK = 0xf000;
const CHARACTER_DEVICE = 0x2000;
const BLOCK_DEVICE = 0x6000;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET (linux/sched.h). */
const NAMESPACE_FLAGS = 0x7e02_0000;
const CLONE_NEWTIME = 0x80;

/**
 * The one statement of which system calls a command may make, on every profile (E89). Everything not named is
 * allowed; every number above the known table is ENOSYS, so that what a newer kernel adds is closed at first.
 */
export const SANDBOX_POLICY: SandboxPolicy = {
  version: 1,
  refused: {
    hostile: [
      ...['init_module', 'finit_module', 'delete_module', 'create_module', 'query_module'],
      ...['get_kernel_syms', 'kexec_load', 'kexec_file_load', 'bpf', 'reboot', 'swapon', 'swapoff'],
      ...['acct', 'settimeofday', 'clock_settime', 'iopl', 'ioperm', 'sethostname'],
      ...['setdomainname', 'vhangup', 'quotactl', 'quotactl_fd', 'nfsservctl', 'mount', 'umount2'],
      ...['pivot_root', 'move_mount', 'open_tree', 'open_tree_attr', 'fsopen', 'fsconfig'],
      ...['fsmount', 'fspick', 'mount_setattr', 'setns', 'open_by_handle_at'],
      ...['process_vm_writev', 'pidfd_getfd'],
    ],
    EPERM: [
      ...['ptrace', 'process_vm_readv', 'process_madvise', 'kcmp', 'perf_event_open'],
      ...['userfaultfd', 'fanotify_init', 'fanotify_mark', 'syslog', 'statmount', 'listmount'],
      ...['listns', 'lookup_dcookie', 'adjtimex', 'clock_adjtime', 'chroot'],
    ],
    // clone3 takes its flags through a pointer, which a filter cannot follow; C libraries fall back to clone.
    ENOSYS: [
      ...['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'add_key'],
      ...['request_key', 'keyctl', 'shmget', 'shmat', 'semget', 'msgget', 'modify_ldt'],
      ...['remap_file_pages', 'uselib', 'ustat', 'sysfs', '_sysctl', 'uretprobe', 'uprobe'],
      ...['afs_syscall', 'tuxcall', 'security', 'vserver', 'getpmsg', 'putpmsg'],
      ...['epoll_ctl_old', 'epoll_wait_old'],
    ],
    EAFNOSUPPORT: [],
    EOPNOTSUPP: ['name_to_handle_at'],
  },
  refusedWithoutMemoryGroup: ['memfd_create', 'memfd_secret'],
  argumentRules: [
    {
      syscalls: ['socket', 'socketpair'],
      argument: 0,
      mask: ALL_BITS,
      refuseWhen: 'none-of',
      values: [AF_UNIX],
      answer: 'EAFNOSUPPORT',
    },
    {
      syscalls: ['clone'],
      argument: 0,
      mask: NAMESPACE_FLAGS,
      refuseWhen: 'none-of',
      values: [0],
      answer: 'EPERM',
    },
    {
      // In clone the bit of CLONE_NEWTIME belongs to the exit signal.
      syscalls: ['unshare'],
      argument: 0,
      mask: NAMESPACE_FLAGS | CLONE_NEWTIME,
      refuseWhen: 'none-of',
      values: [0],
      answer: 'EPERM',
    },
    {
      syscalls: ['ioctl'],
      argument: 1,
      mask: ALL_BITS,
      refuseWhen: 'one-of',
      values: [TIOCSTI, TIOCLINUX],
      answer: 'hostile',
    },
    {
      // A listener of the command's own could answer hostile calls with "continue".
      syscalls: ['seccomp'],
      argument: 1,
      mask: SECCOMP_FILTER_FLAG_NEW_LISTENER,
      refuseWhen: 'none-of',
      values: [0],
      answer: 'EPERM',
    },
    {
      syscalls: ['mknod'],
      argument: 1,
      mask: FILE_TYPE_MASK,
      refuseWhen: 'one-of',
      values: [CHARACTER_DEVICE, BLOCK_DEVICE],
      answer: 'EPERM',
    },
    {
      syscalls: ['mknodat'],
      argument: 2,
      mask: FILE_TYPE_MASK,
      refuseWhen: 'one-of',
      values: [CHARACTER_DEVICE, BLOCK_DEVICE],
      answer: 'EPERM',
    },
    {
      // 0 is plain Linux, all bits set is the question "which one".
      syscalls: ['personality'],
      argument: 0,
      mask: ALL_BITS,
      refuseWhen: 'none-of',
      values: [0, ALL_BITS],
      answer: 'EPERM',
    },
  ],
};
