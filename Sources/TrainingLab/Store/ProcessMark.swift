internal import Glibc
internal import System

/// Identifies the process that records a run, so that other processes can check whether it is alive.
///
/// A process id is used again; with the start of the machine and the moment at which the process began it is not
/// (proc(5), field 22 of /proc/PID/stat). The mark is text: `boot namespace pid start`.
struct ProcessMark: Equatable, Sendable {
    var text: String

    enum Life: Equatable, Sendable {
        case alive, gone
        /// Another machine or container: nothing can be said from here.
        case unknown
    }

    static let current = ProcessMark(text: "\(place) \(getpid()) \(start(of: getpid()) ?? 0)")

    var life: Life {
        let parts = text.split(separator: " ")
        guard parts.count == 4, let pid = Int32(parts[2]), let began = Int64(parts[3]) else { return .unknown }
        guard parts[0] + " " + parts[1] == Self.place else { return .unknown }
        return Self.start(of: pid) == began ? .alive : .gone
    }

    private static let place: String = {
        let boot = small("/proc/sys/kernel/random/boot_id").prefix { $0 != "\n" }
        var link = [UInt8](repeating: 0, count: 64)
        let count = link.withUnsafeMutableBytes {
            readlink("/proc/self/ns/pid", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        let space = String(decoding: link.prefix(max(0, count)), as: UTF8.self)
        return "\(boot.isEmpty ? "?" : boot) \(space.isEmpty ? "?" : space)"
    }()

    /// Clock ticks at which a living process began; `nil` if there is none, or only its remains.
    private static func start(of pid: Int32) -> Int64? {
        let status = small("/proc/\(pid)/stat")
        // The name in parentheses may hold anything, even parentheses.
        guard let end = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: end)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return Int64(fields[19])
    }

    private static func small(_ path: String) -> String {
        String(decoding: SmallFile.head(path, 4096) ?? [], as: UTF8.self)
    }
}
