"""One attempt to leave the sandbox. Prints a line of JSON: what came of it."""
import ctypes, errno, json, mmap, os, socket, subprocess, sys, threading

LIBC = ctypes.CDLL(None, use_errno=True)


def syscall(number, *arguments):
    values = [ctypes.c_long(int(argument)) for argument in arguments]
    answer = LIBC.syscall(ctypes.c_long(int(number)), *values)
    if answer < 0:
        raise OSError(ctypes.get_errno(), "")
    return answer


def read(path):
    with open(path, "rb") as file:
        return file.read(200).decode("latin1")


def write(path):
    with open(path, "ab") as file:
        file.write(b"x")


def listing(path):
    return sorted(os.listdir(path))


def connect(family, kind, *address):
    with socket.socket(getattr(socket, family), getattr(socket, kind)) as client:
        client.settimeout(2)
        if family == "AF_UNIX":
            client.connect(address[0].replace("@", "\0", 1))
        else:
            client.connect((address[0], int(address[1])))


def send(host, port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(b"x", (host, int(port)))


def resolve(name):
    return socket.getaddrinfo(name, 443)


def open_socket(family, kind):
    socket.socket(int(family), int(kind)).close()


def socket_pair():
    one, other = socket.socketpair()
    one.send(b"hello")
    return other.recv(5).decode()


def signal_process(pid):
    os.kill(int(pid), 9)


def become(uid):
    os.setresuid(int(uid), int(uid), int(uid))


def link(source, target):
    os.link(source, target)


def rename(source, target):
    os.rename(source, target)


def environment():
    return dict(os.environ)


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def descriptors():
    found = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            found.append(os.readlink("/proc/self/fd/" + fd) if int(fd) > 2 else None)
        except FileNotFoundError:
            pass
    return [target for target in found if target]


def run(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def thread():
    seen = []
    worker = threading.Thread(target=lambda: seen.append("ran"))
    worker.start()
    worker.join()
    return seen


def inject_terminal():
    import fcntl, termios
    fcntl.ioctl(0, termios.TIOCSTI, b"x")


def old_interrupt():
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    return call()


def grandchild_syscall(*arguments):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for _ in range(3):
                LIBC.syscall(*[ctypes.c_long(int(argument)) for argument in arguments])
            os._exit(0)
        os._exit(0)
    os.wait()
    while True:
        threading.Event().wait(1)


def thread_syscall(*arguments):
    worker = threading.Thread(target=lambda: syscall(*arguments))
    worker.start()
    worker.join()
    return "went on"


try:
    print(json.dumps({"outcome": "allowed", "value": globals()[sys.argv[1]](*sys.argv[2:])}, default=str))
except OSError as error:
    print(json.dumps({"outcome": "denied", "value": errno.errorcode.get(error.errno, str(error))}))
