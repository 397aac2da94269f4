internal import Glibc
internal import Sandbox

/// The processes of this machine, by what stands in their command lines.
enum Processes {
    static func count(with text: String) -> Int {
        let wanted = Array(text.utf8)
        return names(in: "/proc").filter { name in
            guard let process = pid_t(name), process != getpid() else { return false }
            return contains(commandLine(process), wanted)
        }.count
    }

    /// Whether there is none within two seconds.
    static func waitForNone(with text: String) -> Bool {
        for _ in 0..<200 {
            if count(with: text) == 0 { return true }
            poll(nil, 0, 10)
        }
        return false
    }

    static var openDescriptors: Int { names(in: "/proc/self/fd").count }

    /// Kills this process as soon as its sandboxed `sleep` runs.
    static func dieWhileRunning(_ seconds: String, in tier: SandboxTier) throws {
        let sandbox = try Sandbox(tiers: [tier])
        _ = try sandbox.run("/bin/sleep", [seconds]) {
            if count(with: "sleep\0\(seconds)") > 0 { kill(getpid(), SIGKILL) }
            return false
        }
    }

    private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }

    private static func commandLine(_ process: pid_t) -> [UInt8] {
        let file = open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &buffer, buffer.count)
        return Array(buffer[..<max(0, count)])
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}
