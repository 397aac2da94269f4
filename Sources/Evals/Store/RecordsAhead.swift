/// Stored samples read ahead: a window of them costs little more than one.
struct RecordsAhead: Sendable {
    /// A stored sample.
    struct Record: Sendable {
        var row: [UInt8]
        /// Data as a zstd frame.
        var data: [UInt8]
        var trace: String?
    }

    /// Maximum bytes of a window.
    static let mostBytes = 4 << 20

    /// Number of samples in a window.
    private static let window = 128
    /// Largest distance to the next sample that counts as reading in order, such as through the failed samples.
    private static let stride = 16
    /// A window expires soon, because a run in progress, or a new trace, changes the stored data.
    private static let lifetime = Duration.milliseconds(500)

    private var last: Int?
    private var records: [Int: Record] = [:]
    private var readAt = ContinuousClock.now

    /// Returns the record of a sample if it was read ahead, or how many records are worth reading at once.
    mutating func take(_ index: Int) -> (record: Record?, window: Int) {
        let isNext = last.map { index > $0 && index - $0 <= Self.stride } ?? false
        last = index
        if !isNext || ContinuousClock.now - readAt > Self.lifetime { records = [:] }
        return (records.removeValue(forKey: index), isNext ? Self.window : 1)
    }

    mutating func keep(_ found: [Int: Record]) {
        records = found
        readAt = ContinuousClock.now
    }
}
