/// Starts of the lines in a file, four bytes per line: a log may have tens of millions of lines.
///
/// A line reaches to the byte before the next one, so that blank lines between two belong to the first of them.
struct LineStarts {
    /// The lower half of every line's first byte.
    private var starts: [UInt32] = []
    /// The numbers of lines at which the upper half goes up by one.
    private var steps: [Int] = []
    private var end = 0

    var count: Int { starts.count }

    /// The byte behind the last line.
    var upperBound: Int { end }

    mutating func append(_ line: Range<Int>) {
        while steps.count < line.lowerBound >> 32 { steps.append(starts.count) }
        starts.append(UInt32(truncatingIfNeeded: line.lowerBound))
        end = line.upperBound
    }

    mutating func removeLast() {
        guard count > 0 else { return }
        end = count > 1 ? start(count - 1) - 1 : 0
        starts.removeLast()
        while let step = steps.last, step > starts.count { steps.removeLast() }
    }

    /// The bytes of a line; behind the last but one they may end with line feeds.
    subscript(line: Int) -> Range<Int> {
        start(line)..<(line + 1 < starts.count ? start(line + 1) - 1 : end)
    }

    private func start(_ line: Int) -> Int {
        let upper = steps.count { $0 <= line }
        return upper << 32 | Int(starts[line])
    }
}
