/// Where data lie while a kernel works on them.
public enum MemoryLevel: String, CaseIterable, Hashable, Sendable {
    case level1 = "L1"
    case level2 = "L2"
    case level3 = "L3"
    case memory

    /// The level of a cache; nil for the memory.
    var cache: Int? {
        switch self {
        case .level1: 1
        case .level2: 2
        case .level3: 3
        case .memory: nil
        }
    }
}

extension Machine {
    /// The part of a cache that a working set may take to count as lying there: what else a program touches (stack,
    /// code in the shared levels, the other buffers of a measurement) needs the rest.
    public static let usablePartOfCache = 0.75

    /// The nearest level that holds a working set while `threads` threads share it.
    ///
    /// Levels 1 and 2 belong to a processor: each holds its thread's part. A level that several processors share holds
    /// the whole. At most ``usablePartOfCache`` of a cache counts.
    public func level(ofWorkingSet bytes: Int, threads: Int = 1) -> MemoryLevel {
        for level in [MemoryLevel.level1, .level2, .level3] {
            if Double(bytes) <= Self.usablePartOfCache * Double(capacity(level, threads: threads)) { return level }
        }
        return .memory
    }

    /// Bytes of all caches of a level that `threads` threads on processors of their own have; 0 if there is none.
    public func capacity(_ level: MemoryLevel, threads: Int) -> Int {
        guard let cache = caches.first(where: { $0.level == level.cache }) else { return 0 }
        let domains = (max(1, threads) + cache.sharedBy - 1) / cache.sharedBy
        return cache.bytes * domains
    }

    /// Bytes that each thread goes through to measure a level; `nil` if the level does not exist or is hidden behind
    /// one that is about as large.
    ///
    /// Two thirds of level 1, five eighths of level 2, five sixteenths of level 3 (all threads together at most twice
    /// that): well inside, and well outside the level before. Memory is gone through in pieces of 12 MiB, each of which
    /// was last touched long ago: a sample is then shorter than a time slice of the scheduler.
    package func sampleBytes(_ level: MemoryLevel, threads: Int) -> Int? {
        if level == .memory { return 12 << 20 }
        guard let cache = caches.first(where: { $0.level == level.cache }) else { return nil }
        switch level {
        case .level1:
            return cache.bytes * 2 / 3
        case .level2:
            let bytes = cache.bytes * 5 / 8
            return bytes >= 2 * capacity(.level1, threads: 1) ? bytes : nil
        default:
            let sharers = min(max(1, threads), cache.sharedBy)
            let bytes = min(cache.bytes * 5 / 16, cache.bytes * 5 / 8 / sharers)
            return bytes >= 2 * capacity(.level2, threads: 1) ? bytes : nil
        }
    }

    /// Levels that can be told apart on this machine, the fastest first.
    package func levels(threads: Int) -> [MemoryLevel] {
        MemoryLevel.allCases.filter { sampleBytes($0, threads: threads) != nil }
    }
}
