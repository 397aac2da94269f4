internal import CKernels
internal import Glibc

/// Cycles and instructions of this thread, where the system lets a process count them.
///
/// Nothing rests on them: rates come from clocks and cost models. Where they exist they say more.
public final class HardwareCounters {
    public struct Count: Hashable, Sendable {
        /// `nil` if there is no such counter.
        public var cycles: Int?
        public var instructions: Int?

        public init(cycles: Int? = nil, instructions: Int? = nil) {
            self.cycles = cycles
            self.instructions = instructions
        }
    }

    private var counters: orrery_counters

    public init() { counters = orrery_counters_open() }

    deinit { orrery_counters_close(&counters) }

    public var areAvailable: Bool { counters.cycles >= 0 || counters.instructions >= 0 }

    /// Runs `body` and counts what this thread did in it, in user mode.
    public func count(_ body: () -> Void) -> Count {
        guard areAvailable else {
            body()
            return Count()
        }
        var cycles: Int64 = 0
        var instructions: Int64 = 0
        orrery_counters_start(&counters)
        body()
        orrery_counters_stop(&counters, &cycles, &instructions)
        return Count(
            cycles: cycles < 0 ? nil : Int(cycles), instructions: instructions < 0 ? nil : Int(instructions))
    }

    /// Whether there are counters, and if not why: `hardware counters: not available here (the hypervisor hides them)`.
    public var sentence: String {
        let available = [(counters.cycles, "cycles"), (counters.instructions, "instructions")]
            .filter { $0.0 >= 0 }.map(\.1)
        if !available.isEmpty { return "hardware counters: " + available.joined(separator: " and ") }
        return "hardware counters: not available on this machine (\(Self.reason(counters.error)))"
    }

    private static func reason(_ error: Int32) -> String {
        switch error {
        case ENOENT, EOPNOTSUPP: "the hypervisor hides them"
        case EACCES, EPERM: "the system denies access; see /proc/sys/kernel/perf_event_paranoid"
        case ENOSYS: "this system does not support them"
        default: "error \(error)"
        }
    }
}
