import System

/// How many processors this process may use: less than the machine has, under `taskset` or in a container.
func usableProcessors() -> Int {
    // sched_getaffinity(2) is a GNU extension, which Swift does not see; the kernel says the same as hexadecimal text.
    let name = "Cpus_allowed:\t"
    let text = String(decoding: SmallFile.head("/proc/self/status", 1 << 16) ?? [], as: UTF8.self)
    let mask = text.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count) ?? ""
    return max(1, mask.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount })
}
