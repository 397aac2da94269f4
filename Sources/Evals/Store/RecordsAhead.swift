/// Stored samples that were read ahead: a window of them costs little more than one.
struct RecordsAhead: Sendable {
    /// A sample as it is stored.
    struct Record: Sendable {
        var row: [UInt8]
        /// A zstd frame.
        var data: [UInt8]
        var trace: String?
    }

    /// Bytes of a window after which it ends.
    static let mostBytes = 4 << 20

    /// Samples of a window.
    private static let window = 128
    /// Largest distance to the next sample that counts as reading in order, such as through the failed samples.
    private static let stride = 16
    /// A window is forgotten soon: a running run, or a trace that is made, changes what is stored.
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
