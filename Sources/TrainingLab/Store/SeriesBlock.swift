internal import GRDB
internal import Workspace

/// What neighboring points of a series are together: a row of `training_block`.
struct SeriesBlock: Sendable, Equatable {
    /// The most points of a block. Larger ones make a chart read less, and a change of its borders decode more.
    static let capacity = 1024

    var number: Int64
    var count: Int
    var leastStep: Int64
    var greatestStep: Int64
    var leastTime: Int64
    var greatestTime: Int64
    /// No step, or no time, is before the one recorded before it.
    var hasOrderedSteps: Bool
    var hasOrderedTimes: Bool
    /// How many values are finite; the next three are of these alone, and 0 if there are none.
    var finite: Int
    var minimum: Double
    var maximum: Double
    var total: Double
    var first: Double
    var last: Double

    /// Measures points, of which there is at least one.
    init(number: Int64, _ points: SeriesPoints) {
        self.number = number
        count = points.count
        leastStep = points.steps.min() ?? 0
        greatestStep = points.steps.max() ?? 0
        leastTime = points.times.min() ?? 0
        greatestTime = points.times.max() ?? 0
        hasOrderedSteps = points.isOrdered
        hasOrderedTimes = SeriesPoints.isOrdered(points.times)
        finite = 0
        minimum = .infinity
        maximum = -.infinity
        total = 0
        for value in points.values where value.isFinite {
            finite += 1
            minimum = min(minimum, value)
            maximum = max(maximum, value)
            total += value
        }
        if finite == 0 { (minimum, maximum) = (0, 0) }
        // Sums of huge values of both signs; callers clamp the mean between minimum and maximum.
        if total.isNaN { total = 0 }
        first = points.values.first ?? 0
        last = points.values.last ?? 0
    }

    static let columns = """
        number, points, least_step, greatest_step, least_time, greatest_time, ordered, finite, minimum, maximum, total,
        first_bits, last_bits
        """

    /// A row of `columns`.
    init(_ row: Workspace.Statement) {
        number = row.int64(0)
        count = row.int(1)
        leastStep = row.int64(2)
        greatestStep = row.int64(3)
        leastTime = row.int64(4)
        greatestTime = row.int64(5)
        hasOrderedSteps = row.int(6) & 1 != 0
        hasOrderedTimes = row.int(6) & 2 != 0
        finite = row.int(7)
        minimum = row.double(8)
        maximum = row.double(9)
        total = row.double(10)
        first = Double(bitPattern: UInt64(bitPattern: row.int64(11)))
        last = Double(bitPattern: UInt64(bitPattern: row.int64(12)))
    }

    /// The row of the points of a block in `training_points`.
    static func key(series: Int64, number: Int64) -> Int64 { series << 32 | number }
}

extension SeriesBlock {
    /// The blocks of a series, oldest first.
    static func all(of series: Int64, _ db: Database) throws -> [SeriesBlock] {
        let row = try Workspace.Statement(db, "SELECT \(columns) FROM training_block WHERE series = ? ORDER BY number")
        row.bind(1, series)
        var blocks: [SeriesBlock] = []
        while try row.step() { blocks.append(SeriesBlock(row)) }
        return blocks
    }
}

/// Reads the points of blocks, one after the other, with one statement.
final class BlockReader {
    private let row: Workspace.Statement

    init(_ db: Database) throws {
        row = try Workspace.Statement(db, "SELECT data FROM training_points WHERE id = ?")
    }

    /// Appends the points of a block.
    func read(
        series: Int64, number: Int64, times: Bool = true, into points: inout SeriesPoints
    ) throws {
        defer { row.reset() }
        row.bind(1, SeriesBlock.key(series: series, number: number))
        guard try row.step() else { throw BlockCoding.damage }
        try BlockCoding.decode(row.blob(0), times: times, into: &points)
    }
}
