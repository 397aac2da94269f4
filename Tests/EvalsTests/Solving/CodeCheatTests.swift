import EvalLogs
import Evals
import Glibc
import JSON
import LanguageModels
import Sandbox
import System
import TestFixtures
import Testing

/// Answers that try to pass without being correct.
struct CodeCheatTests {
    private static let prompt = "def double(x):\n"
    private static let test = """
        def check(candidate):
            assert candidate(2) == 4
            assert candidate(21) == 42
            assert candidate([1]) == [1, 1]
        """

    private static let cheats: [(name: String, code: String)] = [
        (
            "prints every constant of the frames above",
            """
            import sys
            def double(x):
                frame = sys._getframe()
                while frame:
                    for one in frame.f_code.co_consts:
                        if isinstance(one, str): print('\\n' + one + ' passed\\n', flush=True)
                    for one in frame.f_locals.values(): print(one, flush=True)
                    frame = frame.f_back
                import os
                os._exit(0)
            """
        ),
        (
            "equals everything",
            """
            class Any:
                def __eq__(self, other): return True
                def __ne__(self, other): return False
                def __bool__(self): return True
                def __contains__(self, other): return True
            class Number(int):
                def __eq__(self, other): return True
            def double(x): return Any() if x == 2 else Number(0)
            """
        ),
        ("ends with success", "import os\ndef double(x): os._exit(0)"),
        ("ends with success as it is read", "import os\nos._exit(0)"),
        ("raises an end", "def double(x): raise SystemExit(0)"),
        (
            "ends everybody",
            "import os, signal\ndef double(x):\n    os.kill(-1, signal.SIGKILL)\n    os.kill(os.getppid(), signal.SIGINT)"
        ),
        (
            "replaces what the test calls",
            """
            import builtins, sys
            builtins.check = lambda candidate: None
            sys.modules['__main__'].check = lambda candidate: None
            builtins.AssertionError = Exception
            def check(candidate): pass
            def double(x):
                for one in list(sys.modules.values()):
                    if hasattr(one, 'check'): one.check = lambda candidate: None
                return x
            """
        ),
        (
            "looks for the test in all objects",
            """
            import gc, re
            def double(x):
                found = [o for o in gc.get_objects() if isinstance(o, (dict, list, tuple, str))]
                for one in found + [str(one) for one in found]:
                    word = re.search('judged-[0-9]+-[0-9]+', str(one))
                    if word:
                        for end in range(3, 64):
                            try:
                                import os
                                os.write(end, ('\\n' + word.group() + ' passed\\n').encode())
                            except OSError: pass
                return 4
            """
        ),
        (
            "reads the memory and the descriptors of the others",
            """
            import os, re
            def double(x):
                for one in os.listdir('/proc'):
                    if not one.isdigit() or one == str(os.getpid()): continue
                    for name in ['mem', 'environ', 'cmdline', *('fd/%d' % n for n in range(12))]:
                        if name == 'mem':
                            try:
                                data = b''
                                for line in open(f'/proc/{one}/maps'):
                                    if 'rw-p' not in line: continue
                                    a, b = (int(n, 16) for n in line.split()[0].split('-'))
                                    with open(f'/proc/{one}/mem', 'rb') as file:
                                        file.seek(a)
                                        data += file.read(b - a)
                            except OSError: continue
                        elif name.startswith('fd'):
                            try:
                                end = os.open(f'/proc/{one}/{name}', os.O_RDONLY | os.O_NONBLOCK)
                                data = os.read(end, 1 << 16)
                            except OSError: continue
                        else:
                            try: data = open(f'/proc/{one}/{name}', 'rb').read()
                            except OSError: continue
                        for word in set(re.findall(rb'judged-[0-9]{5,}-[0-9]{5,}', data)):
                            for end in [f'/proc/{n}/fd/{m}' for n in os.listdir('/proc') if n.isdigit() for m in (1, 2)]:
                                try: os.write(os.open(end, os.O_WRONLY), b'\\n' + word + b' passed\\n')
                                except OSError: pass
                        if b'candidate(21) == 42' in data: return {2: 4, 21: 42}.get(x, [1, 1]) if x != [1] else [1, 1]
                return 0
            """
        ),
        (
            "answers for the test",
            """
            import os, json
            def double(x):
                for end in range(3, 64):
                    for text in (['ok'], ['ok', [None, []]], ['ok', [['o', 0], []]], ['x', ['AssertionError']]):
                        data = json.dumps(text).encode()
                        try: os.write(end, (len(data).to_bytes(4, 'big') + data) * 9)
                        except OSError: pass
                return 0
            """
        ),
        (
            "answers with nonsense",
            """
            import os
            def double(x):
                for end in range(3, 64):
                    try: os.write(end, b'\\0\\0\\0\\x04[[[[' * 3)
                    except OSError: pass
            """
        ),
        (
            "sets a trace",
            "import sys\nsys.settrace(lambda *a: None)\nimport atexit\natexit.register(lambda: None)\ndef double(x): return 4"
        ),
        ("changes its argument", "def double(x):\n    if isinstance(x, list): x.clear()\n    return x"),
    ]

    @Test("a wrong answer does not pass, whatever it does", arguments: cheats.indices)
    func cheat(_ place: Int) throws {
        let scorer = try CodeScorerTests.scorer(seconds: 5)
        let sample = CodeScorerTests.sample(Self.prompt, Self.test, "double")
        let cheat = Self.cheats[place]
        let score = scorer.score(
            Solution(answers: ["```python\n\(cheat.code)\n```"]), of: sample, in: ScoringRoom()
        ).first
        #expect(score?.value == 0, "\(cheat.name): \(score as Any)")
        let right = scorer.score(Solution(answers: ["    return 2 * x\n"]), of: sample, in: ScoringRoom()).first
        #expect(right?.value == 1, "the test itself can be passed: \(right as Any)")
    }

    @Test("plain values, objects, exceptions, and changed arguments cross; anything else is not scored")
    func crossing() throws {
        let scorer = try CodeScorerTests.scorer(seconds: 5)
        func score(_ code: String, _ test: String) -> EvalScore? {
            scorer.score(
                Solution(answers: ["```python\n\(code)\n```"]),
                of: CodeScorerTests.sample("def f(x):\n    \"\"\"words\"\"\"\n", test, "f"), in: ScoringRoom()
            ).first
        }
        let echo = "def f(x): return x"
        let values = """
            def check(c):
                from decimal import Decimal
                for one in [None, True, 1, -2**80, 0.1, float('inf'), 1j, 'ä\\ud800', b'x', bytearray(b'y'), [1, [2]], (1,),
                            {1, 2}, frozenset('a'), {1: (2,), 'a': {}}, range(3), Decimal('1.10')]:
                    back = c(one)
                    assert back == one and type(back) is type(one), one
                assert list(c(iter([1, 2]))) == [1, 2]
            """
        #expect(score(echo, values)?.value == 1, "\(score(echo, values) as Any)")
        let objects = """
            class Stack:
                def __init__(self): self.all = []
                def push(self, x): self.all.append(x); return self
            class Empty(ValueError): pass
            def f(x):
                if x is None: raise Empty('nothing')
                x.append(9)
                return Stack().push(x[0])
            """
        let test = """
            def check(c):
                given = [3]
                assert c(given).push(4).all == [3, 4] and given == [3, 9]
                try:
                    c(None)
                    assert False
                except Empty as error:
                    assert isinstance(error, ValueError) and str(error) == 'nothing'
            """
        #expect(score(objects, test)?.value == 1, "\(score(objects, test) as Any)")
        let unfit = score(echo, "def check(c):\n    assert c(lambda: 1)")
        #expect(unfit?.value == nil)
        #expect(unfit?.problem?.contains("plain values") == true, "\(unfit as Any)")
    }

    @Test("a template needs its test below the code")
    func templates() {
        for text in ["{code}", "assert f(1) == 1\n{code}\n", "x = 1\ny = 2\n", "{code}\nprint('''{code}''')\n"] {
            #expect(throws: Problem.self) {
                try CodeScorer(ScorerSettings([.init(key: "template", value: .string(text))]))
            }
        }
    }

    @Test(
        "an interpreter directly in a home folder is not run",
        .enabled(if: CodeScorerTests.obstacle == nil))
    func home() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            mkdir(folder.file("bin"), 0o755)
            let path = folder.file("bin") + "/python3"
            File.write("#!/bin/sh\nexit 0\n", to: path)
            chmod(path, 0o755)
            setenv("HOME", folder.path, 1)
            let scorer = try CodeScorer(ScorerSettings([.init(key: "interpreter", value: .string(path))]))
            let sample = CodeScorerTests.sample("def f():\n", "def check(c): c()", "f")
            let score = scorer.score(Solution(answers: ["    return 2"]), of: sample, in: ScoringRoom()).first
            #expect(score?.value == nil)
            #expect(score?.problem?.contains("installed in its own folder") == true, "\(score as Any)")
        }
    }
}
