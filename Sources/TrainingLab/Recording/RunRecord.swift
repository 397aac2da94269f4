internal import Training

/// What a run recorded since the last write.
struct RunRecord: Sendable {
    var points: [RunPoint] = []
    var samples: [RunSample] = []
    var events: [RunEvent] = []
    /// About how much memory it takes, in values of 32 bytes.
    var weight = 0

    /// 128 MB: hours of a run whose disk is full.
    static let mostWeight = 4 << 20

    var isEmpty: Bool { points.isEmpty && samples.isEmpty && events.isEmpty }

    /// Adds what came later.
    mutating func append(_ other: RunRecord) {
        points += other.points
        samples += other.samples
        events += other.events
        weight += other.weight
    }
}
