/// Points of one series, in the order in which they were recorded.
public struct SeriesPoints: Sendable, Equatable {
    public var steps: [Int64] = []
    /// Nanoseconds since 1970.
    public var times: [Int64] = []
    /// The recorded numbers, bit for bit.
    public var values: [Double] = []

    public init() {}

    public init(steps: [Int64], times: [Int64], values: [Double]) {
        self.steps = steps
        self.times = times
        self.values = values
    }

    public var count: Int { values.count }

    /// Whether both have the same steps, times and bits; a value that is not a number equals itself here.
    public static func == (a: SeriesPoints, b: SeriesPoints) -> Bool {
        a.steps == b.steps && a.times == b.times
            && a.values.elementsEqual(b.values) { $0.bitPattern == $1.bitPattern }
    }

    mutating func append(step: Int64, time: Int64, value: Double) {
        steps.append(step)
        times.append(time)
        values.append(value)
    }

    mutating func append(_ other: SeriesPoints) {
        steps += other.steps
        times += other.times
        values += other.values
    }

    mutating func removeAll() {
        steps.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
    }

    subscript(range: Range<Int>) -> SeriesPoints {
        SeriesPoints(steps: Array(steps[range]), times: Array(times[range]), values: Array(values[range]))
    }

    func filtered(_ isKept: (_ step: Int64) -> Bool) -> SeriesPoints {
        var kept = SeriesPoints()
        for index in steps.indices where isKept(steps[index]) {
            kept.append(step: steps[index], time: times[index], value: values[index])
        }
        return kept
    }

    /// Whether the recorded steps never decrease.
    var isOrdered: Bool { Self.isOrdered(steps) }

    static func isOrdered(_ numbers: [Int64]) -> Bool {
        for index in numbers.indices.dropFirst() where numbers[index] < numbers[index - 1] { return false }
        return true
    }

    /// The same points by step; equal steps stay in the order in which they were recorded.
    func sortedByStep() -> SeriesPoints {
        let order = steps.indices.sorted { (steps[$0], $0) < (steps[$1], $1) }
        return SeriesPoints(
            steps: order.map { steps[$0] }, times: order.map { times[$0] }, values: order.map { values[$0] })
    }
}
