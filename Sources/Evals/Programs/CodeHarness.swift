/// The Python program that judges code in the sandbox: two processes that share only two pipes.
///
/// The first process holds the test and the word that reports the outcome. The second holds the code and serves calls:
/// arguments go in, and results are rebuilt from plain values. It is forked before the first process reads the test and
/// the word, and the kernel denies it access to the memory and descriptors of the first (not "dumpable").
enum CodeHarness {
    /// Python program that reads an order from its input and writes lines that begin with the order's word: `began`,
    /// then `passed`, `failed`, or `unfit`, with the reason on further lines.
    static let python = #"""
        import builtins, ctypes, json, os, signal, sys, types
        from itertools import islice

        LONGEST, SERIES = 1 << 26, {"l": list, "t": tuple, "e": set, "z": frozenset, "n": iter}

        def receive(end):
            def exactly(count):
                parts = []
                while count:
                    part = os.read(end, min(count, 1 << 16))
                    if not part: raise EOFError
                    parts.append(part)
                    count -= len(part)
                return b"".join(parts)
            size = int.from_bytes(exactly(4), "big")
            if size > LONGEST: raise EOFError
            return json.loads(exactly(size))

        def send(end, value):
            data = json.dumps(value).encode()
            data = len(data).to_bytes(4, "big") + data
            while data: data = data[os.write(end, data):]

        def pack(value, other):
            if value is None or value is True or value is False or isinstance(value, str): return value
            if isinstance(value, int): return int(value) if abs(value) < 1 << 60 else ["i", hex(value)]
            if isinstance(value, float): return ["f", float.hex(value)]
            if isinstance(value, complex): return ["c", float.hex(value.real), float.hex(value.imag)]
            if isinstance(value, bytes): return ["b", value.hex()]
            if isinstance(value, bytearray): return ["B", value.hex()]
            if isinstance(value, range): return ["r", value.start, value.stop, value.step]
            if isinstance(value, dict): return ["d", *([pack(k, other), pack(v, other)] for k, v in value.items())]
            for mark in "ltez":
                if isinstance(value, SERIES[mark]): return [mark, *(pack(one, other) for one in value)]
            kind = type(value)
            if kind.__name__ in ("Decimal", "Fraction") and kind.__module__ in ("decimal", "fractions"):
                return [kind.__name__, str(value)]
            if hasattr(kind, "__next__"): return ["n", *(pack(one, other) for one in islice(value, 100000))]
            return other(value)

        def unpack(value, other):
            if not isinstance(value, list): return value
            mark, *rest = value
            if mark in SERIES: return SERIES[mark]([unpack(one, other) for one in rest])
            if mark == "i": return int(rest[0], 16)
            if mark == "f": return float.fromhex(rest[0])
            if mark == "c": return complex(float.fromhex(rest[0]), float.fromhex(rest[1]))
            if mark == "b": return bytes.fromhex(rest[0])
            if mark == "B": return bytearray.fromhex(rest[0])
            if mark == "r": return range(*rest)
            if mark == "d": return {unpack(k, other): unpack(v, other) for k, v in rest}
            if mark == "Decimal":
                from decimal import Decimal
                return Decimal(rest[0])
            if mark == "Fraction":
                from fractions import Fraction
                return Fraction(rest[0])
            return other(mark, *rest)

        def complaint(error, name, source):
            import linecache, traceback
            linecache.cache[name] = (len(source), None, source.splitlines(True), name)
            lines = "".join(traceback.format_exception(type(error), error, error.__traceback__)).splitlines()
            return "\n".join(lines[-6:])[-1000:]

        def lineage(kind): return [one.__name__ for one in kind.__mro__]

        def serve(requests, replies):
            nothing = os.open("/dev/null", os.O_RDWR)
            os.dup2(nothing, 0)
            os.dup2(nothing, 1)
            objects = []
            def keep(value):
                if isinstance(value, types.ModuleType): return ["m", value.__name__]
                if isinstance(value, type) and issubclass(value, Exception): return ["x", lineage(value)]
                objects.append(value)
                return ["o", len(objects) - 1]
            def kept(mark, number): return objects[number]
            source = receive(requests)
            answer = types.ModuleType("answer")
            sys.modules["answer"] = answer
            try:
                exec(compile(source, "<answer>", "exec"), answer.__dict__)
            except BaseException as error:
                send(replies, ["ended", complaint(error, "<answer>", source)])
            else:
                send(replies, ["ok"])
            while True:
                action, *rest = receive(requests)
                try:
                    if action == "names":
                        reply = {one: pack(answer.__dict__[one], keep) for one in rest if one in answer.__dict__}
                    elif action == "attribute":
                        reply = pack(getattr(objects[rest[0]], rest[1]), keep)
                    else:
                        given = [unpack(one, kept) for one in rest[1]]
                        words = {name: unpack(one, kept) for name, one in rest[2].items()}
                        result = pack(objects[rest[0]](*given, **words), keep)
                        now = ((place, pack(one, keep)) for place, one in enumerate(given)
                               if isinstance(one, (list, dict, set, bytearray)))
                        reply = [result, [[place, one] for place, one in now if one != rest[1][place]]]
                    reply = ["ok", reply]
                except Exception as error:
                    reply = ["error", lineage(type(error)), str(error)[:2000]]
                except BaseException as error:
                    reply = ["ended", "the code raised " + type(error).__name__]
                send(replies, reply)

        def judge(requests, replies):
            order = json.loads(sys.stdin.buffer.read())
            word = order["word"]
            def tell(state, reason=""):
                sys.stdout.flush()
                data = f"\n{word} {state}\n{reason}".encode("utf-8", "replace")
                while data: data = data[os.write(1, data):]
            def stop(state, reason):
                tell(state, reason)
                os._exit(1)
            def ask(*request):
                try:
                    data = [request[0], *request[1:]] if len(request) > 1 else request[0]
                    send(requests, data)
                except OSError:
                    stop("failed", "the code ended before its test")
                try:
                    state, *rest = receive(replies)
                    if state == "ended": stop("failed", str(rest[0]))
                    if state == "ok": return rest[0] if rest else None
                    kinds, text = rest
                    error = failure(kinds, str(text))
                except (OSError, EOFError):
                    stop("failed", "the code ended before its test")
                except Exception:
                    stop("failed", "the code's process sent an unreadable reply")
                raise error
            exceptions = {}
            def exception(kinds):
                if kinds[0] in exceptions: return exceptions[kinds[0]]
                known = (getattr(builtins, one, None) for one in kinds)
                base = next((one for one in known if isinstance(one, type) and issubclass(one, Exception)), Exception)
                if base.__name__ == kinds[0]: return base
                exceptions[kinds[0]] = type(kinds[0], (base,), {})
                return exceptions[kinds[0]]
            def failure(kinds, text):
                try:
                    return exception(kinds)(text)
                except TypeError:
                    return Exception(text)
            class Remote:
                def __init__(self, number): self.__dict__["_number"] = number
                def __call__(self, *given, **words):
                    packed = [packing(one) for one in given]
                    result, changes = checked(lambda reply: (reading(reply[0]), [(p, reading(c)) for p, c in reply[1]]),
                                              ask("call", self._number, packed, {n: packing(w) for n, w in words.items()}))
                    for place, now in changes:
                        old = given[place]
                        if type(now) is not type(old): stop("failed", "the code changed the type of an argument")
                        old.clear()
                        old.extend(now) if isinstance(old, (list, bytearray)) else old.update(now)
                    return result
                def __getattr__(self, name):
                    if name.startswith("__"): raise AttributeError(name)
                    return checked(reading, ask("attribute", self._number, name))
            def checked(read, reply):
                try:
                    return read(reply)
                except Exception:
                    stop("failed", "the code's process sent an unreadable reply")
            def own(value):
                if isinstance(value, Remote): return ["o", value._number]
                stop("unfit", f"the test passes a value of type {type(value).__name__}; only plain values are supported")
            def packing(value):
                try:
                    return pack(value, own)
                except RecursionError:
                    stop("unfit", "the test passes a value that is nested too deeply")
            def foreign(mark, value):
                if mark == "x": return exception(value)
                if mark == "m" and value.partition(".")[0] in sys.stdlib_module_names: return __import__(value)
                if mark != "o": raise ValueError(mark)
                return Remote(int(value))
            def reading(value): return unpack(value, foreign)
            def names(code):
                found = set(code.co_names)
                for one in code.co_consts:
                    if isinstance(one, types.CodeType): found |= names(one)
                return found

            tell("began")
            space = {"__name__": "__main__"}
            for ending in ["", "\n    pass\n", "\n\tpass\n", "\n  pass\n"]:
                try:
                    tree = compile(order["setup"] + ending, "<prompt>", "exec", 1024)
                except (SyntaxError, ValueError):
                    continue
                if order["imports_only"]:
                    tree.body = [one for one in tree.body if type(one).__name__ in ("Import", "ImportFrom")]
                try:
                    exec(compile(tree, "<prompt>", "exec"), space)
                except Exception:
                    pass
                break
            space.pop(order["entry"], None)
            try:
                test = compile(order["test"], "<test>", "exec")
            except (SyntaxError, ValueError) as error:
                stop("unfit", f"the test cannot be compiled: {error}")
            ask(order["code"])
            missing = sorted(one for one in names(test) if one not in space and not hasattr(builtins, one))
            found = ask("names", *missing)
            for name in missing:
                if name in found: space[name] = checked(reading, found[name])
            try:
                exec(test, space)
            except BaseException as error:
                stop("failed", complaint(error, "<test>", order["test"]))
            tell("passed")
            os._exit(0)

        requests, replies = os.pipe(), os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(requests[1])
                os.close(replies[0])
                serve(requests[0], replies[1])
            finally:
                os._exit(0)
        os.close(requests[0])
        os.close(replies[1])
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # PR_SET_DUMPABLE: no process in the sandbox can now read this process's memory or open its descriptors.
        if ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) != 0: os._exit(125)
        judge(requests[1], replies[0])
        """#
}
