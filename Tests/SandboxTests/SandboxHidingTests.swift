internal import Glibc
internal import Sandbox
import System
internal import TestFixtures
internal import Testing

/// What could be found out or kept in ways that no count sees. Every test runs in every tier.
@Suite(.serialized)
struct SandboxHidingTests {
    @Test("process 1 reveals nothing about the process that started the sandbox", arguments: SandboxTrial.all)
    func firstProcess(_ trial: SandboxTrial) throws {
        let outcome = try trial.python("print(open('/proc/1/cmdline', 'rb').read())")
        for word in CommandLine.arguments where word.count > 3 {
            #expect(!outcome.text.contains(word), "\(outcome.text)")
        }
        for word in ["ro-bind", "--uid", "/etc/"] { #expect(!outcome.text.contains(word), "\(outcome.text)") }
        #expect(outcome.succeeded, "\(outcome.errorText)")
    }

    @Test("shared memory without a file is refused, files of it are counted", arguments: SandboxTrial.all)
    func sharedMemory(_ trial: SandboxTrial) throws {
        let outcome = try trial.python(
            """
            import mmap, os
            def refused(name, deed):
                try:
                    deed()
                    print(name)
                except OSError:
                    pass
            refused('shared', lambda: mmap.mmap(-1, 1 << 20))
            refused('private', lambda: mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
            refused('validated', lambda: mmap.mmap(-1, 1 << 20, flags=3 | mmap.MAP_ANONYMOUS))
            zero = os.open('/dev/zero', os.O_RDWR)
            refused('zero', lambda: mmap.mmap(zero, 1 << 20))
            refused('memfd', lambda: os.memfd_create('x'))
            print(os.read(zero, 3))
            def fill(folder):
                with open(folder + '/x', 'wb') as file: file.truncate(32 << 20)
                with open(folder + '/x', 'r+b') as file: return mmap.mmap(file.fileno(), 32 << 20)
            block = fill('/tmp')
            block[:1 << 20] = bytes(1 << 20)
            print(len(block))
            """)
        #expect(outcome.text == "private\nb'\\x00\\x00\\x00'\n33554432\n", "\(outcome.text) \(outcome.errorText)")
    }

    @Test("a home folder is never shown")
    func homes() {
        let folder = TemporaryFolder()
        let before = getenv("HOME").map { String(cString: $0) }
        mkdir(folder.file("me"), 0o755)
        symlink(folder.file("me"), folder.file("link"))
        mkdir(folder.file("me") + "/part", 0o755)
        setenv("HOME", folder.file("link"), 1)
        defer { if let before { setenv("HOME", before, 1) } else { unsetenv("HOME") } }
        for path in ["/root", "/home", folder.file("me"), folder.file("link"), folder.path] {
            #expect(Sandbox.isHome(path), "\(path)")
            if access(path, F_OK) == 0 { #expect(throws: Problem.self) { try Sandbox(readable: [path]) } }
        }
        #expect(!Sandbox.isHome(folder.file("me") + "/part"))
        #expect(!Sandbox.isHome("/usr/lib"))
    }
}
