import Training

/// Keeps a run in memory, as a workspace would: what was recorded after a checkpoint is forgotten when a run goes on.
final class CollectingSink: RunSink {
    private(set) var points: [RunPoint] = []
    private(set) var samples: [RunSample] = []
    private(set) var events: [RunEvent] = []
    private(set) var flushes = 0
    /// Handed out one list a call.
    var ordersToGive: [[RunOrder]] = []

    func begin(_ description: RunDescription, at step: Int, isNew: Bool) {
        points.removeAll { $0.step > step }
        samples.removeAll { $0.step > step }
    }

    func record(_ point: RunPoint) { points.append(point) }
    func record(_ sample: RunSample) { samples.append(sample) }
    func record(_ event: RunEvent) { events.append(event) }
    func flush() { flushes += 1 }
    func orders() -> [RunOrder] { ordersToGive.isEmpty ? [] : ordersToGive.removeFirst() }

    /// A curve as bits, by step.
    func curve(_ series: String) -> [Int: UInt64] {
        var curve: [Int: UInt64] = [:]
        for point in points {
            for value in point.values where value.series == series { curve[point.step] = value.value.bitPattern }
        }
        return curve
    }

    func values(_ series: String) -> [Double] {
        points.flatMap { $0.values.filter { $0.series == series }.map(\.value) }
    }

    var kinds: [RunEvent.Kind] { events.map(\.kind) }
}
