/// What is missing of a log: lines that cannot be read, and a last one that is the beginning of one only.
struct LogLosses {
    /// Lines and samples beyond which no further one is remembered.
    private static let most = 1 << 20

    private var lines: Set<Int> = []
    private var first: (line: Int, words: String)?
    /// Samples that have no line that can be read, by their places.
    private(set) var samples: Set<Int> = []
    /// Whether the last line is cut: its writer was stopped there.
    var isCut = false

    /// Notes a line that cannot be read.
    ///
    /// - Parameter line: A number that identifies the line; lower for earlier lines.
    mutating func add(_ line: Int, _ error: EvalLogError) {
        guard lines.count < Self.most, lines.insert(line).inserted else { return }
        if line < first?.line ?? .max { first = (line, "\(error.place ?? "a line"): \(error.problem)") }
    }

    mutating func lose(sample: Int) { if samples.count < Self.most { samples.insert(sample) } }

    /// `1 unreadable line was skipped, line 10: invalid JSON`; `nil` if every line could be read.
    fileprivate var words: String? {
        guard let first else { return nil }
        return lines.count == 1
            ? "1 unreadable line was skipped, \(first.words)"
            : "\(lines.count) unreadable lines were skipped, the first at \(first.words)"
    }
}

extension EvalRun {
    /// Takes in what its log lacks: a run that was done has not come to its end where samples are missing.
    ///
    /// - Parameters:
    ///   - isAll: Whether the log's end has been seen, so that `completed` is what it holds.
    ///   - promised: Number of samples recorded in its head; 0 if it records none.
    mutating func take(_ losses: LogLosses, isAll: Bool, promised: Int) {
        var words = losses.words.map { [$0] } ?? []
        let isShort = isAll && completed < promised && state != .running
        if isShort {
            words.append("the log contains only \(completed) of \(promised) samples")
            holdFigures(of: promised)
        }
        if losses.isCut, state == .done { words.append("the last line is truncated") }
        if isShort || losses.isCut, state == .done { state = .unfinished }
        if !words.isEmpty { problem = ((problem.map { [$0] } ?? []) + words).joined(separator: ", and ") }
    }

    /// Adds that the log's text ends too early; `nil` if it is complete, or has not been read so far.
    mutating func take(_ damage: String?, promised: Int) {
        guard let damage else { return }
        if state == .done { state = .unfinished }
        problem = ((problem.map { [$0] } ?? []) + [damage]).joined(separator: ", and ")
        if completed < promised { holdFigures(of: promised) }
    }

    /// Notes next to each metric that it covers more samples than the log has.
    package mutating func holdFigures(of promised: Int) {
        let note = "covers \(promised) samples; the log contains only \(completed)"
        for place in metrics.indices {
            metrics[place].note = (metrics[place].note.map { $0 + "; " } ?? "") + note
        }
    }
}

extension LogFile {
    /// Bytes of a file whose lines are counted when it is opened: that needs no reading of what they say.
    static var countedAtOnce: Int { 64 << 20 }

    /// Whether the last line has no end and is not valid JSON; `false` if it is too long to check.
    var endsCut: Bool {
        let size = size
        guard size > 0, let tail = try? bytes(max(0, size - 1 << 20)..<size), tail.last != 0x0A else { return false }
        let line = tail.lastIndex(of: 0x0A).map { Array(tail[($0 + 1)...]) } ?? tail
        guard line.count < tail.count || tail.count == size, line.contains(where: { $0 > 0x20 }) else { return false }
        return (try? LogJSON.parse(line, path: path, place: "") { _ in true }) == nil
    }
}
