internal import Glibc

/// Kernel memory held for the programs of a sandbox, other than their pages, as far as the kernel reports it.
///
/// A socket's bytes belong to no process: a stream that is closed while its other end waits to be accepted keeps them, so
/// neither the number of processes nor that of open files bounds them. Each counts with the most that it can hold.
struct KernelMemory {
    /// The count of sockets of the cage's network, which is its own.
    private let sockets: Int32
    /// In-memory file systems of the sandbox whose number of files has no limit.
    private let folders: [Int32]
    private var reader = ProcReader()
    private var nextLook = 0.0
    /// Bytes as of the last slow look.
    private var mappings = 0
    private var hasTooManyLocks = false

    /// - Parameter countsFiles: Whether to count the files of /tmp and /dev/shm.
    init(root: pid_t, countsFiles: Bool) {
        sockets = open("/proc/\(root)/net/sockstat", O_RDONLY | O_CLOEXEC)
        let paths = countsFiles ? ["tmp", "dev/shm"] : []
        folders = paths.map { open("/proc/\(root)/root/\($0)", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }.filter { $0 >= 0 }
    }

    func end() {
        if sockets >= 0 { close(sockets) }
        for folder in folders { close(folder) }
    }

    /// Returns bytes, at most `limit` + 1. Mappings and locks are checked ten times per second, everything else each
    /// time.
    mutating func bytes(of tree: ProcessTree, at time: Double, limit: Int) -> Int {
        let quick = socketCount * Self.perSocket + fileCount * Self.perFile
        if time >= nextLook {
            nextLook = time + 0.1
            mappings = mappingBytes(tree, limit: limit)
            hasTooManyLocks = locks(of: tree) > Self.mostLocks
        }
        return hasTooManyLocks ? limit + 1 : min(limit + 1, quick + mappings)
    }

    private var socketCount: Int {
        var text = [UInt8](repeating: 0, count: 64)
        guard sockets >= 0 else { return 0 }
        let count = pread(sockets, &text, text.count, 0)
        guard count > 0 else { return 0 }
        // sockets: used 3
        let words = String(decoding: text[..<count].prefix { $0 != 0x0A }, as: UTF8.self).split(separator: " ")
        return words.count > 2 ? max(0, Int(words[2]) ?? 0) : 0
    }

    private var fileCount: Int {
        folders.reduce(0) { sum, folder in
            var space = statvfs()
            guard fstatvfs(folder, &space) == 0, space.f_files > space.f_ffree else { return sum }
            return sum + Int(clamping: space.f_files - space.f_ffree)
        }
    }

    /// Each mapping of a process has an entry, and one more for each ancestor that shares its pages.
    private mutating func mappingBytes(_ tree: ProcessTree, limit: Int) -> Int {
        let each = Self.perMapping + Self.perAncestor * tree.members.count
        var bytes = 0
        for process in tree.members where bytes <= limit {
            bytes += reader.lines("/proc/\(process)/maps", limit: limit / each + 1) * each
        }
        return bytes
    }

    /// How many locks of parts of files the processes hold, among the first of the machine.
    private mutating func locks(of tree: ProcessTree) -> Int {
        var rest: [UInt8] = []
        var count = 0
        let members = Set(tree.members)
        reader.each("/proc/locks", atMost: 2 << 20) { part in
            rest += part
            let end = rest.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            for line in rest[..<end].split(separator: 0x0A) {
                // 1: POSIX  ADVISORY  WRITE 5132 00:2f:7 0 0
                let words = line.split(separator: 0x20, maxSplits: 5)
                guard words.count > 4, let process = pid_t(String(decoding: words[4], as: UTF8.self)) else { continue }
                if members.contains(process) { count += 1 }
            }
            rest.removeFirst(end)
            return count <= Self.mostLocks && rest.count < 4096
        }
        return count
    }

    /// A socket takes bytes until half as much again as its buffer may be full: the last piece is not cut.
    private static let perSocket: Int = {
        let file = open("/proc/sys/net/core/wmem_default", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 320_000 }
        defer { close(file) }
        var digits = [UInt8](repeating: 0, count: 20)
        let count = read(file, &digits, digits.count)
        let number = Int(String(decoding: digits[..<max(0, count)].prefix { $0 >= 0x30 }, as: UTF8.self)) ?? 212_992
        return min(max(number, 1 << 16), 1 << 30) * 3 / 2
    }()
    /// Its entry, the name of up to 255 bytes, and what a short link holds.
    private static let perFile = 2048
    private static let perMapping = 512
    private static let perAncestor = 80
    /// Databases hold a handful.
    private static let mostLocks = 10_000
}
