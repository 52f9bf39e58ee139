"""Uses too much of one thing."""
import mmap, os, sys, time

MEBIBYTE = 1024 * 1024


def wall():
    time.sleep(600)


def stubborn():
    import signal
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(600)


def spin():
    while True:
        pass


def cpu_together(children):
    for _ in range(int(children)):
        if os.fork() == 0:
            spin()
    time.sleep(600)


def memory_together(children, mebibytes):
    for _ in range(int(children)):
        if os.fork() == 0:
            held = bytearray(int(mebibytes) * MEBIBYTE)
            time.sleep(600)
            print(len(held))
    time.sleep(600)


def shared_memory(mebibytes):
    held = mmap.mmap(-1, int(mebibytes) * MEBIBYTE)
    for offset in range(0, len(held), 4096):
        held[offset] = 1
    time.sleep(600)


def forks():
    # Not so many that their memory alone could pass its limit before anybody looks.
    made = 0
    while made < 100:
        try:
            if os.fork() == 0:
                time.sleep(600)
        except OSError:
            print(made, flush=True)
            return
        made += 1
    # Who only counts processes has to have the time to do so.
    time.sleep(600)


def descriptors():
    opened = []
    try:
        while True:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    except OSError as error:
        print(len(opened), error.strerror)


def file_size():
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/work/large", "wb", 0) as file:
        try:
            while True:
                file.write(b"\0" * MEBIBYTE)
        except OSError as error:
            print(file.tell() // MEBIBYTE, error.strerror)


def disk():
    written = 0
    try:
        for number in range(10000):
            with open("/work/part-%d" % number, "wb", 0) as file:
                written += file.write(b"\0" * MEBIBYTE)
    except OSError as error:
        print(written // MEBIBYTE, error.strerror)


def inodes():
    made = 0
    try:
        while True:
            open("/work/entry-%d" % made, "w").close()
            made += 1
    except OSError as error:
        print(made, error.strerror)


def flood(mebibytes):
    for _ in range(int(mebibytes)):
        os.write(1, b"x" * MEBIBYTE)


def daemon(marker):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            while True:
                with open("/work/" + marker, "a") as file:
                    file.write("x")
                time.sleep(0.01)
        os._exit(0)
    os.wait()
    while not os.path.exists("/work/" + marker):
        time.sleep(0.005)
    print("left a daemon behind")


globals()[sys.argv[1]](*sys.argv[2:])
