internal import Glibc

/// The resources used by all processes below a root, as reported in /proc.
///
/// Everything in a process namespace is below its first process: what loses its parent becomes that one's child.
struct ProcessTree {
    var processes = 0
    /// Their numbers, the root's left out.
    var members: [pid_t] = []
    /// Bytes that no file backs, in memory or swapped out, and the tables of pages, of all processes together; the
    /// root's own are not among them.
    var memory = 0
    /// Of living and buried ones.
    var cpuSeconds = 0.0

    /// O(processes). Beyond `limit` processes no more are looked at.
    init(below root: pid_t, limit: Int) {
        var waiting = [root]
        var reader = ProcReader()
        while let process = waiting.popLast(), processes <= limit {
            let fields = reader.fields("/proc/\(process)/stat")
            guard fields.count > 17 else { continue }
            // Behind the name: state is field 3 of the manual, the times are 14 to 17, threads 20.
            let ticks = fields[11...14].reduce(0) { $0 + max(0, $1) }
            cpuSeconds += Double(ticks) / Self.ticksPerSecond
            let threads = max(1, fields[17])
            if process != root {
                processes += threads
                members.append(process)
                memory += reader.kibibytes("/proc/\(process)/status", of: Self.held) << 10
            }
            if threads == 1 {
                waiting += reader.numbers("/proc/\(process)/task/\(process)/children")
            } else {
                for thread in reader.names("/proc/\(process)/task") {
                    waiting += reader.numbers("/proc/\(process)/task/\(thread)/children")
                }
            }
        }
    }

    /// The program that this process runs.
    static let ownExecutable = executable(of: getpid())

    /// The program that a process runs; `nil` if the kernel does not say.
    static func executable(of process: pid_t) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/\(process)/exe", &path, path.count - 1)
        return count > 0 ? String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static let ticksPerSecond = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    /// What a process holds of its own, as its status names it.
    private static let held: Set<Substring> = ["RssAnon", "VmSwap", "VmPTE", "HugetlbPages"]
}
