internal import Glibc
internal import Sandbox
import System
internal import TestFixtures
internal import Testing

/// What a program may use up. Every test runs in every tier.
@Suite(.serialized)
struct SandboxLimitsTests {
    @Test("a fork bomb is bounded, and nothing of it is left", arguments: SandboxTrial.all)
    func forkBomb(_ trial: SandboxTrial) throws {
        let marker = "orrery-bomb-\(getpid())-\(trial.tier.rawValue)"
        let outcome = try trial.python(
            """
            # \(marker)
            import os, time
            refused = 0
            while True:
                try:
                    if os.fork() == 0: time.sleep(60)
                except OSError:
                    refused += 1
                    if refused > 1000: break
            print('refused', flush=True)
            time.sleep(60)
            """, limits: SandboxLimits(seconds: 1, processes: 20))
        // The kernel refuses where it counts, and our own count ends the rest.
        #expect(
            outcome.ending == .limit(.processes)
                || outcome.ending == .limit(.wallTime) && outcome.text == "refused\n", "\(outcome)")
        #expect(Processes.count(with: marker) == 0)

        let recursive = try trial.python(
            """
            # \(marker)
            import os
            while True:
                try:
                    os.fork()
                except OSError:
                    pass
            """, limits: SandboxLimits(seconds: 1, processes: 20))
        #expect(recursive.ending != .exited(0))
        #expect(recursive.seconds < 10)
        #expect(Processes.count(with: marker) == 0)
    }

    @Test("memory is bounded for one process and for all together", arguments: SandboxTrial.all)
    func memory(_ trial: SandboxTrial) throws {
        let limits = SandboxLimits(seconds: 10, memory: 200 << 20)
        let one = try trial.python(
            """
            try:
                blocks = [bytearray(1 << 24) for _ in range(100)]
                print('held')
            except MemoryError:
                print('refused')
            """, limits: limits)
        #expect(one.text == "refused\n", "\(one)")
        let many = try trial.python(
            """
            import os, time
            for _ in range(8):
                if os.fork() == 0:
                    block = bytearray(b'x') * (100 << 20)
                    time.sleep(60)
            time.sleep(60)
            """, limits: limits)
        #expect(many.ending == .limit(.memory))
        #expect(many.peakMemory > 200 << 20)
    }

    @Test("the peak of memory is reported", arguments: SandboxTrial.all)
    func peak(_ trial: SandboxTrial) throws {
        let outcome = try trial.python("block = bytearray(b'x') * (100 << 20); import time; time.sleep(1)")
        #expect(outcome.succeeded)
        #expect(outcome.peakMemory > 100 << 20)
        #expect(outcome.peakMemory < 150 << 20)
    }

    @Test("the disk is bounded, in one file and in many", arguments: SandboxTrial.all)
    func disk(_ trial: SandboxTrial) throws {
        let outcome = try trial.python(
            """
            import os
            def fill(folder):
                total = 0
                for number in range(200):
                    try:
                        with open(f'{folder}/{number}', 'wb', buffering=0) as file:
                            for _ in range(64): total += file.write(bytes(1 << 20))
                    except OSError:
                        pass
                return total
            one = 0
            try:
                with open('/tmp/one', 'wb', buffering=0) as file:
                    for _ in range(64): one += file.write(bytes(1 << 20))
            except OSError:
                pass
            print(one <= 8 << 20)
            print(fill('/tmp') <= 8 << 20, fill('/dev/shm') <= 1 << 20)
            """, limits: SandboxLimits(disk: 8 << 20))
        #expect(outcome.text == "True\nTrue True\n", "\(outcome.errorText)")
    }

    @Test("wall time ends a program that sleeps", arguments: SandboxTrial.all)
    func wallTime(_ trial: SandboxTrial) throws {
        let sandbox = try trial.sandbox()
        let outcome = try sandbox.run("/bin/sleep", ["60"], limits: SandboxLimits(seconds: 0.3))
        #expect(outcome.ending == .limit(.wallTime))
        #expect(outcome.seconds >= 0.3)
        #expect(outcome.seconds < 1)
    }

    @Test("processor time ends a program that spins, its children's spinning counted too", arguments: SandboxTrial.all)
    func cpuTime(_ trial: SandboxTrial) throws {
        let limits = SandboxLimits(seconds: 20, cpuSeconds: 0.5)
        let one = try trial.python("while True: pass", limits: limits)
        #expect(one.ending == .limit(.cpuTime))
        #expect(one.cpuSeconds >= 0.5)
        let many = try trial.python(
            """
            import os
            while True:
                if os.fork() == 0:
                    for _ in range(300000): pass
                    os._exit(0)
                os.wait()
            """, limits: limits)
        #expect(many.ending == .limit(.cpuTime))
    }

    @Test("a flood of output is bounded", arguments: SandboxTrial.all)
    func output(_ trial: SandboxTrial) throws {
        let sandbox = try trial.sandbox()
        let limits = SandboxLimits(seconds: 10, output: 100_000, errors: 1000)
        let flood = try sandbox.run("/usr/bin/yes", limits: limits)
        #expect(flood.ending == .limit(.output))
        #expect(flood.output.count == 100_000)
        let complaint = try sandbox.run(
            "/bin/sh", ["-c", "head -c 3000000 /dev/zero >&2; echo the end >&2"], limits: limits)
        #expect(complaint.ending == .exited(0))
        #expect(complaint.standardError.count == 1000)
        #expect(complaint.errorText.hasSuffix("the end\n"))
    }

    @Test("a cancel ends it within 100 ms", arguments: SandboxTrial.all)
    func cancel(_ trial: SandboxTrial) throws {
        let sandbox = try trial.sandbox()
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try sandbox.run(
            "/bin/sleep", ["60"], isCancelled: { clock.now - start > .milliseconds(200) })
        #expect(outcome.ending == .cancelled)
        // What is measured is the time from the cancel to the end.
        #expect(clock.now - start < .milliseconds(300))
    }

    @Test("what a program leaves behind dies with it", arguments: SandboxTrial.all)
    func leftovers(_ trial: SandboxTrial) throws {
        let sandbox = try trial.sandbox()
        let name = "54\(getpid()).\(trial.tier == .bubblewrap ? 1 : 2)"
        let outcome = try sandbox.run("/bin/sh", ["-c", "setsid sleep \(name) & echo started"])
        #expect(outcome.ending == .exited(0))
        #expect(outcome.text == "started\n")
        #expect(outcome.seconds < 5)
        #expect(Processes.count(with: name) == 0)
    }

    @Test("where the process that started it is killed, bubblewrap's program dies")
    func deathOfParentOfBubblewrap() async throws {
        _ = try SandboxTrial(tier: .bubblewrap).sandbox()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            try Processes.dieWhileRunning("86397.\(getppid())", in: .bubblewrap)
        }
        #expect(Processes.waitForNone(with: "86397.\(getpid())"))
    }

    @Test("where the process that started it is killed, the program in our namespaces dies")
    func deathOfParentOfNamespaces() async throws {
        _ = try SandboxTrial(tier: .namespaces).sandbox()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            try Processes.dieWhileRunning("86398.\(getppid())", in: .namespaces)
        }
        #expect(Processes.waitForNone(with: "86398.\(getpid())"))
    }

    @Test("many short runs leave no descriptor and no process behind", arguments: SandboxTrial.all)
    func leaks(_ trial: SandboxTrial) throws {
        let sandbox = try trial.sandbox()
        _ = try sandbox.run("/bin/true")
        let before = Processes.openDescriptors
        for _ in 0..<50 { #expect(try sandbox.run("/bin/true").succeeded) }
        #expect(Processes.openDescriptors <= before + 2)
    }

    @Test("many at once do not disturb each other", arguments: SandboxTrial.all)
    func atOnce(_ trial: SandboxTrial) async throws {
        let sandbox = try trial.sandbox()
        let wrong = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<8 {
                group.addTask {
                    (0..<10).compactMap { round in
                        let text = "\(worker) \(round)\n"
                        let outcome = try? sandbox.run("/bin/cat", input: Array(text.utf8))
                        return outcome?.succeeded == true && outcome?.text == text ? nil : "\(text): \(outcome as Any)"
                    }
                }
            }
            var wrong: [String] = []
            for await one in group { wrong += one }
            return wrong
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("a program that is not there is a sentence")
    func missing() throws {
        let sandbox = try SandboxTrial.any()
        #expect(throws: Problem.self) { try sandbox.run("/nowhere/at/all") }
        #expect(throws: Problem.self) { try sandbox.run("relative") }
        #expect(throws: Problem.self) { try sandbox.run("/bin/true", ["a\0b"]) }
        #expect(throws: Problem.self) { try Sandbox(readable: ["/nowhere/at/all"]) }
        #expect(throws: Problem.self) { try Sandbox(tiers: []) }
    }
}
