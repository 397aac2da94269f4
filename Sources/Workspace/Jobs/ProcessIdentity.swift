import Glibc

/// The identity of a job's process, which other processes use to determine whether it is still running.
///
/// The system reuses process IDs, but never with the same start time (proc(5), field 22 of /proc/PID/stat).
/// IDs and start times are comparable only on the same machine, within the same boot and PID namespace.
struct ProcessIdentity: Equatable, Sendable {
    /// Process ID.
    let pid: Int32
    /// Start time of the process, in clock ticks since boot.
    let start: Int64
    /// Host name, boot ID, and PID namespace, separated by spaces.
    let machine: String

    enum Life: Equatable, Sendable {
        case alive, gone
        /// The process belongs to another machine or container, so its state is unknown.
        case unknown
    }

    static let current = ProcessIdentity(pid: getpid(), start: stat(of: getpid())?.start ?? 0, machine: thisMachine)

    /// Whether the process is still running, if this process can tell.
    var life: Life {
        let own = Self.thisMachine.split(separator: " ")
        let its = machine.split(separator: " ")
        guard own.first == its.first else { return .unknown }
        guard own.dropFirst().first == its.dropFirst().first else { return .gone }
        guard own.last == its.last else { return .unknown }
        guard let found = Self.stat(of: pid), found.start == start else { return .gone }
        return found.isDead ? .gone : .alive
    }

    // Host name, boot ID, and PID namespace.
    private static let thisMachine: String = {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let boot = PrivateFile.readSmall("/proc/sys/kernel/random/boot_id")?.prefix { $0 != "\n" } ?? "?"
        var link = [CChar](repeating: 0, count: 64)
        let length = max(0, readlink("/proc/self/ns/pid", &link, link.count))
        let space = String(decoding: link.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(name.isEmpty ? "?" : name) \(boot) \(space.isEmpty ? "?" : space)"
    }()

    private static func stat(of pid: Int32) -> (start: Int64, isDead: Bool)? {
        guard let text = PrivateFile.readSmall("/proc/\(pid)/stat") else { return nil }
        // The name in parentheses may contain any characters, even parentheses.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let start = Int64(fields[19]) else { return nil }
        return (start, fields[0] == "Z" || fields[0] == "X")
    }
}
