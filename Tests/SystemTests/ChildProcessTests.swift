import Glibc
import System
import TestFixtures
import Testing

@Suite("Child processes")
struct ChildProcessTests {
    private func shell(_ script: String) -> Launch { Launch(["sh", "-c", script]) }

    @Test("output, errors, and exit status are separate")
    func output() throws {
        let result = try ChildProcess.run(shell("echo out; echo err >&2; exit 3"))
        #expect(String(decoding: result.output, as: UTF8.self) == "out\n")
        #expect(String(decoding: result.errors, as: UTF8.self) == "err\n")
        #expect(result.ending == .exited(status: 3) && result.stop == nil)
        #expect(try ChildProcess.run(shell("kill -SEGV $$")).ending == .killed(signal: SIGSEGV))
        #expect(ChildProcess.Ending.killed(signal: 11).status == 139)
    }

    @Test("a program that does not exist is an error")
    func missing() {
        #expect(throws: Launch.Failure(code: ENOENT)) { try ChildProcess.run(Launch(["/no/such/program"])) }
    }

    @Test("variables are set for the program and not for this process")
    func environment() throws {
        var launch = shell("echo $ORRERY_TEST_VARIABLE")
        launch.environment = ["ORRERY_TEST_VARIABLE": "a=b c"]
        #expect(String(decoding: try ChildProcess.run(launch).output, as: UTF8.self) == "a=b c\n")
        #expect(getenv("ORRERY_TEST_VARIABLE") == nil)
    }

    @Test("the time limit and cancellation kill the program and the processes that it started")
    func stopping() throws {
        let late = try ChildProcess.run(shell("sleep 60 & sleep 60"), limits: .init(seconds: 0.1))
        #expect(late.stop == .timeLimit && late.ending == .killed(signal: SIGKILL))
        let cancelled = try ChildProcess.run(shell("sleep 60"), isCancelled: { $0 > 0.05 })
        #expect(cancelled.stop == .cancellation)
    }

    @Test("output beyond the limit is discarded or kills the program")
    func limits() throws {
        let script = "head -c 300000 /dev/zero"
        let cut = try ChildProcess.run(shell(script), limits: .init(output: 1_000))
        #expect(cut.output.count == 1_000 && cut.ending == .exited(status: 0))
        let killed = try ChildProcess.run(
            shell(script + "; sleep 60"), limits: .init(output: 1_000, endsAtOutputLimit: true))
        #expect(killed.stop == .outputLimit)
    }

    @Test("the memory limit applies to the program, and the shell does not interpret its arguments")
    func memory() throws {
        let result = try ChildProcess.run(
            Launch(["sh", "-c", "ulimit -v; echo \"$1\"", "sh", "$(echo code)"]), limits: .init(memory: 1 << 30))
        #expect(String(decoding: result.output, as: UTF8.self) == "1048576\n$(echo code)\n")
    }

    @Test("a program reads its input from a pipe that other programs do not inherit")
    func input() throws {
        let process = try ChildProcess.start(Launch(["cat"]), hasInput: true)
        let other = try ChildProcess.start(Launch(["sleep", "60"]))
        #expect(write(process.input, "hello", 5) == 5)
        // cat ends only if no other program holds the writing end.
        close(process.input)
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(process.output, &bytes, 16) == 5)
        #expect(read(process.output, &bytes, 16) == 0)
        let deadline = Clock.now(.monotonic) + 30
        while !process.hasEnded, Clock.now(.monotonic) < deadline { Clock.pause(0.001) }
        #expect(process.hasEnded)
        #expect(process.finish() == .exited(status: 0))
        #expect(other.finish() == .killed(signal: SIGKILL))
        for end in [process.output, process.errors, other.output, other.errors] { close(end) }
    }

    @Test("a program in its own session appends its output to a file")
    func session() throws {
        let folder = TemporaryFolder()
        var launch = shell("echo $$; ps -o sid= -p $$")
        launch.group = .session
        launch.output = .appending(path: folder.file("log"))
        launch.errors = launch.output
        let child = try launch.start()
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child && status == 0)
        let text = String(decoding: readAll(folder.file("log")), as: UTF8.self)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        #expect(numbers == [child, child])
    }

    private func readAll(_ path: String) -> [UInt8] {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(count, 0)))
    }
}
