import Glibc

/// How many processors this process may use: less than the machine has, under `taskset` or in a container.
func usableProcessors() -> Int {
    // sched_getaffinity(2) is a GNU extension, which Swift does not see; the kernel says the same as hexadecimal text.
    let name = "Cpus_allowed:\t"
    guard let file = fopen("/proc/self/status", "re") else { return 1 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4_096)
    while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix(name) else { continue }
        return max(1, text.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount })
    }
    return 1
}
