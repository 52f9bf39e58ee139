"""Runs a sandboxed command under a seccomp filter and reports what the filter calls hostile.

`supervise` (outside) starts the sandbox; `install` (inside, the last program before the command) loads the filter
and hands its listener out. Only the outside holds the listener and the report, so a command can forge neither (E94).
"""
import array, ctypes, json, os, platform, resource, select, signal, socket, struct, sys, time

LIBC = ctypes.CDLL(None, use_errno=True)
SECCOMP = {"x86_64": 317, "aarch64": 277}[platform.machine()]
SET_MODE_FILTER, NEW_LISTENER = 1, 8
NOTIF_RECV, NOTIF_BYTES = 0xC0502100, 80
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
REPORT = 3


def install(channel, command):
    """Load the filter that `channel` sends, send back its listener, become the command."""
    size = struct.unpack("<I", channel.recv(4, socket.MSG_WAITALL))[0]
    code = ctypes.create_string_buffer(channel.recv(size, socket.MSG_WAITALL), size)
    program = struct.pack("@HP", size // 8, ctypes.addressof(code))
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    listener = LIBC.syscall(SECCOMP, SET_MODE_FILTER, NEW_LISTENER, program)
    if listener < 0:
        sys.exit("the kernel refuses the system call filter: " + os.strerror(ctypes.get_errno()))
    socket.send_fds(channel, [b"L"], [listener])
    channel.recv(1)
    os.closerange(3, 1 << 20)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit("%s: %s" % (command[0], error.strerror))


def report(kind, **fields):
    os.write(REPORT, (json.dumps({"kind": kind, **fields}) + "\n").encode())


def keep(content):
    """A descriptor that reads `content`, for a program that takes it by number."""
    fd = os.memfd_create("sandbox", 0)
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def start(job, inner):
    """Fork the sandbox's first program with exactly the descriptors it needs."""
    status_read, status_write = os.pipe()
    files = [(job["fds"]["channel"], inner.fileno()), (job["fds"]["status"], status_write)]
    files += [(int(number), keep(content.encode())) for number, content in job["files"].items()]
    pid = os.fork()
    if pid == 0:
        try:
            for group in job["groups"]:
                with open(group + "/cgroup.procs", "w") as procs:
                    procs.write("0")
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            moved = [(number, os.dup2(fd, 100 + index)) for index, (number, fd) in enumerate(files)]
            os.closerange(3, 100)
            for number, fd in moved:
                os.dup2(fd, number)
            os.closerange(100, 1 << 20)
            os.execve(job["argv"][0], job["argv"], {})
        except BaseException as error:
            os.write(2, ("the sandbox did not start: %s\n" % error).encode())
        os._exit(126)
    os.close(status_write)
    inner.close()
    return pid, status_read


def kill(job, pid, first):
    """End everything of the attempt: its PID namespace through the first process, or its user's processes."""
    try:
        if first is not None:
            signal.pidfd_send_signal(first, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if job.get("uid") is not None and os.fork() == 0:
        try:
            os.setresuid(job["uid"], job["uid"], job["uid"])
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)


def receive(listener, seen):
    """Report the hostile call that waits at the listener, once for each caller and call."""
    notification = ctypes.create_string_buffer(NOTIF_BYTES)
    if LIBC.ioctl(listener, ctypes.c_ulong(NOTIF_RECV), notification) < 0:
        return False
    _, pid, _, call, arch = struct.unpack_from("<QIIiI", notification)
    if (pid, call, arch) not in seen:
        seen.add((pid, call, arch))
        report("violation", pid=pid, syscall=call, architecture=arch)
    return True


def watch(job, pid, status_read, channel):
    """Until the sandbox's first program ended: take notifications, and kill at a violation, an order or a lost owner."""
    poll, process, status, seen, started = select.poll(), os.pidfd_open(pid), b"", set(), False
    first_pid = first = listener = None
    killed = False
    for fd in (0, process, channel.fileno()) + ((status_read,) if job["namespaced"] else ()):
        poll.register(fd, select.POLLIN)
    while True:
        # The end of the process comes last, so that nothing that waits is lost.
        for fd, event in sorted(poll.poll(), key=lambda ready: ready[0] == process):
            if fd == 0:
                poll.unregister(0)
                killed = True
                kill(job, pid, first)
            elif fd == status_read:
                text = os.read(status_read, 4096)
                status += text
                if not text or b"\n" in status:
                    poll.unregister(status_read)
                if b"\n" in status:
                    first_pid = json.loads(status.split(b"\n")[0])["child-pid"]
                    first = os.pidfd_open(first_pid)
            elif fd == channel.fileno():
                poll.unregister(channel.fileno())
                fds = socket.recv_fds(channel, 1, 1)[1]
                if fds:
                    listener = fds[0]
                    poll.register(listener, select.POLLIN)
            elif fd == listener and event & select.POLLIN:
                if receive(listener, seen):
                    killed = True
                    kill(job, pid, first)
            elif fd == listener:
                poll.unregister(listener)
            elif fd == process:
                return killed, first
        if not started and listener is not None and (first is not None or not job["namespaced"]):
            started = True
            report("started", pid=first_pid or pid)
            channel.send(b"G")


def reap(seconds):
    """Kill and collect whatever is left; as subreaper this process inherits every orphan. True when none remain."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                with open("/proc/thread-self/children") as children:
                    for child in children.read().split():
                        os.kill(int(child), signal.SIGKILL)
                time.sleep(0.001)
        except ChildProcessError:
            return True
    return False


def supervise():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    size = struct.unpack("<I", os.read(0, 4))[0]
    text = b""
    while len(text) < size:
        text += os.read(0, size - len(text)) or sys.exit("the order ended early")
    job = json.loads(text)
    outer, inner = socket.socketpair()
    code = bytes.fromhex(job["filter"])
    outer.sendall(struct.pack("<I", len(code)) + code)
    pid, status_read = start(job, inner)
    os.close(1)
    os.close(2)
    killed, first = watch(job, pid, status_read, outer)
    status = os.waitpid(pid, 0)[1]
    kill(job, pid, first)
    gone = reap(job["teardownSeconds"])
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    report("ended", status=status, killed=killed, gone=gone, cpuSeconds=usage.ru_utime + usage.ru_stime, maxRssBytes=usage.ru_maxrss * 1024)


if sys.argv[1] == "install":
    install(socket.socket(fileno=int(sys.argv[2])), sys.argv[3:])
else:
    try:
        supervise()
    except Exception as error:
        # The sandbox dies with this process, and no hostile call can succeed without a listener.
        report("failed", reason=repr(error))
